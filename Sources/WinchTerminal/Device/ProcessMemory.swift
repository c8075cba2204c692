import CTerminal

/// What happens to memory that the process has freed.
package enum ProcessMemory {
    /// Returns large freed blocks to the system at once. Reading and showing a batch of 100,000 lines needs many of
    /// them for a moment; by default glibc adapts to that and keeps later blocks in its heap, with gaps between them.
    package static func returnsLargePieces() { _ = winch_memory_return_large() }

    /// Returns the pages to the system in which no block is used. The small blocks that reading a long list needs for a moment
    /// lie in heaps of several threads, and glibc by itself returns only the end of each heap. Takes some milliseconds.
    package static func returnFreed() { winch_memory_return_freed() }

    /// Gives back the pages of code that were used so far. Parsing the options and starting the libraries touches code that
    /// a run never uses again, which otherwise stays resident to the end.
    package static func releaseCode() { winch_memory_release_code() }
}

import CTerminal
import Glibc

/// Descriptors 0, 1 and 2, which all code assumes to be open.
package enum StandardStreams {
    /// Opens those that the parent process has closed (`winch ... >&-`) as `/dev/null`: otherwise the next opened
    /// file would get their number, and messages would be written into it. Standard output then refuses what is written to it,
    /// as if it were closed: a file that goes there is not lost without an error.
    package static func fill() {
        for stream: Int32 in 0...2 where fcntl(stream, F_GETFD) == -1 {
            // `open` returns the lowest free descriptor, which is `stream`.
            _ = open("/dev/null", stream == STDOUT_FILENO ? O_RDONLY : O_RDWR)
        }
    }

    /// What is written to standard output and standard error goes nowhere from now on.
    package static func discardOutput() {
        let nowhere = open("/dev/null", O_RDWR | O_CLOEXEC)
        guard nowhere >= 0 else { return }
        for stream in [STDOUT_FILENO, STDERR_FILENO] { dup2(nowhere, stream) }
        close(nowhere)
    }

    /// Writes the output of `print` that is still buffered.
    ///
    /// - Returns: the error message if some output could not be written; `nil` if all was written, or the reader has
    ///   closed its end.
    package static func flushOutput() -> String? {
        let code = winch_output_flush()
        return code == 0 || code == EPIPE ? nil : String(cString: strerror(code))
    }
}

/// This process's command line as other processes see it, in `ps` and `/proc`.
package enum ProcessArguments {
    /// Overwrites a part of an argument with `*`. Swift's own copy of the arguments is not changed.
    ///
    /// - Parameters:
    ///   - argument: 0 is the program's own name.
    ///   - bytes: byte offsets in the argument.
    package static func cover(argument: Int, bytes: Range<Int>) {
        winch_argument_cover(Int32(clamping: argument), bytes.lowerBound, bytes.count)
    }
}

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

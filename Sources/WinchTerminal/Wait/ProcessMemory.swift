import CTerminal

/// How the process keeps the memory it has freed.
public enum ProcessMemory {
    /// Large pieces are given back at once. Reading and showing a batch of a hundred thousand lines takes many for a moment;
    /// by default the library learns from their going to keep the next ones, with holes between them.
    public static func returnsLargePieces() { _ = winch_memory_return_large() }
}

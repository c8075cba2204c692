import CTerminal

/// This process's command line as others see it, in `ps` and in `/proc`.
public enum ProcessArguments {
    /// Writes stars over a part of an argument. What Swift has read of it before stays as it was.
    ///
    /// - Parameters:
    ///   - argument: 0 is the program's own name.
    ///   - bytes: positions in the argument.
    public static func cover(argument: Int, bytes: Range<Int>) {
        winch_argument_cover(Int32(clamping: argument), bytes.lowerBound, bytes.count)
    }
}

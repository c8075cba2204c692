import CTerminal

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

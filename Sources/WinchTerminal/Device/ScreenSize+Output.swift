import Glibc

extension ScreenSize {
    /// The size of the terminal at standard output; `nil` if that is not a terminal.
    package static var ofStandardOutput: ScreenSize? {
        guard isatty(STDOUT_FILENO) == 1 else { return nil }
        return ScreenSize(of: STDOUT_FILENO) ?? fallback
    }
}

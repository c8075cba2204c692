import Glibc

extension ScreenSize {
    /// Of the terminal that standard output goes to; `nil` when it goes elsewhere.
    public static var ofStandardOutput: ScreenSize? {
        guard isatty(STDOUT_FILENO) == 1 else { return nil }
        return ScreenSize(of: STDOUT_FILENO) ?? usual
    }
}

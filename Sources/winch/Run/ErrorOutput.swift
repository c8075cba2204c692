import Glibc
import WinchTerminal

/// Messages outside of the dashboard: lines on standard error, without control characters.
enum ErrorOutput {
    /// Asked for each message: standard error may be redirected meanwhile.
    private static var isASCII: Bool { OutputLocale.isASCIITerminal(STDERR_FILENO) }

    static func report(_ text: String) {
        let line = Array("winch: \(PlainText(text, isASCII: isASCII))\n".utf8)
        _ = write(STDERR_FILENO, line, line.count)
    }

    /// An error that ends the program, with a message for the user.
    struct Fatal: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) {
            self.description = description
        }
    }
}

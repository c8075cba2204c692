import Glibc
import WinchLedger
import WinchModel
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
    struct Fatal: FatalFailure {
        let message: String

        init(_ message: String) { self.message = message }
    }
}

/// An error that ends the program with exit code 1, wherever it is thrown.
protocol FatalFailure: Error {
    /// One line for the user.
    var message: String { get }
}

extension LedgerFailure: FatalFailure {}
extension TerminalFailure: FatalFailure {}
extension TransferFailure: FatalFailure {}

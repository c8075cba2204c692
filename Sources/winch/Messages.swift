import Glibc
import WinchTerminal

/// What is said to a person outside of the faces: standard error, a line each, nothing that could steer the terminal.
enum Messages {
    private static let isASCII = OutputLocale.isASCIITerminal(STDERR_FILENO)

    static func tell(_ text: String) {
        let line = Array("winch: \(PlainText(text, isASCII: isASCII))\n".utf8)
        _ = write(STDERR_FILENO, line, line.count)
    }

    /// An error that ends the program, in words for a person.
    struct Fatal: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) {
            self.description = description
        }
    }
}

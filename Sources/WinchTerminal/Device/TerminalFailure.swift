/// Why the dashboard cannot be shown; the caller uses another front end then.
package enum TerminalFailure: Error, Hashable, Sendable {
    case notATerminal
    /// The terminfo database does not know this value of `TERM`.
    case unknownTerminal(String)
    /// The database knows the terminal, but it cannot place the cursor or clear the screen.
    case incapable(String)
    /// There is no terminfo database at all.
    case noDatabase
    case system(call: String, code: Int32)

    /// One line for the user: what is wrong, and what to do.
    package var message: String {
        switch self {
        case .notATerminal: "\(reason); --output plain writes lines"
        case .unknownTerminal(""): "\(reason); set it, or use --output plain"
        case .unknownTerminal: "\(reason); set another, or use --output plain"
        case .incapable, .noDatabase, .system: "\(reason); use --output plain"
        }
    }

    /// What is wrong.
    package var reason: String {
        switch self {
        case .notATerminal: "standard output is not a terminal"
        case .unknownTerminal(""): "TERM is not set"
        case .unknownTerminal(let term): "TERM=\(PlainText(term)) is not known here"
        case .incapable(let term): "a terminal of type \(PlainText(term)) cannot show a dashboard"
        case .noDatabase: "there is no terminfo database (package ncurses-base)"
        case .system(let call, let code): "the terminal does not answer (\(call): error \(code))"
        }
    }

    /// True for `TERM=dumb`: it asks for lines instead of a screen, so that the failure need not be reported.
    package var isExpected: Bool { self == .incapable("dumb") }
}

/// Why there is no screen to draw on; another face has to do.
public enum TerminalFailure: Error, Hashable, Sendable {
    case notATerminal
    /// The terminfo database does not know this value of `TERM`.
    case unknownTerminal(String)
    /// It knows it, and it cannot place the cursor.
    case incapable(String)
    /// There is no terminfo database at all.
    case noDatabase
    case system(call: String, code: Int32)

    /// One line for a person: what is wrong, and what to do.
    public var message: String {
        switch self {
        case .notATerminal: "\(reason); --output plain writes lines"
        case .unknownTerminal(""): "\(reason); set it, or use --output plain"
        case .unknownTerminal: "\(reason); set another, or use --output plain"
        case .incapable, .noDatabase, .system: "\(reason); use --output plain"
        }
    }

    /// What is wrong.
    public var reason: String {
        switch self {
        case .notATerminal: "standard output is not a terminal"
        case .unknownTerminal(""): "TERM is not set"
        case .unknownTerminal(let term): "TERM=\(PlainText(term)) is not known here"
        case .incapable(let term): "a terminal of type \(PlainText(term)) cannot show a dashboard"
        case .noDatabase: "there is no terminfo database (package ncurses-base)"
        case .system(let call, let code): "the terminal does not answer (\(call): error \(code))"
        }
    }

    /// Whoever says `TERM=dumb` wants lines and need not be told.
    public var isExpected: Bool { self == .incapable("dumb") }
}

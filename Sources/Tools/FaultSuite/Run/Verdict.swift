/// How a tool did in a case.
package enum Verdict: Sendable, Equatable {
    case right(String)
    case wrong(String)
    /// The tool has no option for what the case asks.
    case notApplicable
    /// This machine cannot do what the case needs.
    case skipped(String)

    package var isWrong: Bool { if case .wrong = self { true } else { false } }

    /// As the table shows it.
    package var words: String {
        switch self {
        case .right(let how): how
        case .wrong(let what): what
        case .notApplicable: "n/a"
        case .skipped(let why): "skipped: \(why)"
        }
    }
}

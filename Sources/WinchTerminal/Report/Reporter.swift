import WinchCore

/// Puts what happened into lines. Pure: updates in, lines out, without their ends.
protocol Reporter {
    /// - Parameter update: what changed since the last one.
    mutating func lines(for update: Update) -> [String]
    /// When a line is owed although nothing more may happen; `nil`: none is.
    var owed: Moment? { get }
    mutating func lines(at now: Moment) -> [String]
    /// The engine has ended; nothing comes after these.
    mutating func lastLines() -> [String]
}

/// The faces that are not a screen.
public enum ReportKind: String, Hashable, Sendable, CaseIterable {
    /// A line when a transfer settles, and one for the queue now and then.
    case plain
    /// An object a line for everything that happens.
    case json
    case quiet

    /// - Parameter isASCII: lines for a person go where nothing else can be shown.
    func reporter(unixOffset: Double, isASCII: Bool = false) -> (any Reporter)? {
        switch self {
        case .plain: PlainReporter(isASCII: isASCII)
        case .json: JSONReporter(unixOffset: unixOffset)
        case .quiet: nil
        }
    }
}

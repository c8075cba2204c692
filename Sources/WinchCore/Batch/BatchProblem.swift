/// Something wrong in a batch file, with the line that a person must look at.
public struct BatchProblem: Hashable, Sendable {
    /// What a problem does to its entry.
    public enum Severity: String, Hashable, Sendable {
        /// The entry cannot run; the others do.
        case error
        /// The line is passed over.
        case warning
    }

    /// From 1.
    public var line: Int
    public var severity: Severity
    public var message: String

    public init(line: Int, severity: Severity, message: String) {
        self.line = line
        self.severity = severity
        self.message = message
    }
}

/// An error or a warning about one line of a batch file, a settings file or a theme.
package struct BatchProblem: Hashable, Sendable {
    /// Whether the entry is still usable.
    package enum Severity: String, Hashable, Sendable {
        /// The entry is left out; the others are not affected.
        case error
        /// Only this line is ignored.
        case warning
    }

    package var line: Int
    /// The line number, from 1.
    package var severity: Severity
    /// One line of text for the user; may quote text from the file.
    package var message: String

    package init(line: Int, severity: Severity, message: String) {
        self.line = line
        self.severity = severity
        self.message = message
    }
}

import WinchModel

/// A message above the footer, shown for some seconds or until a key is pressed.
struct Notice: Hashable, Sendable {
    let words: String
    /// `nil`: until a key is pressed.
    let until: Moment?
    /// The message reports an error that the user should correct.
    let isProblem: Bool

    /// - Parameter words: may contain text from outside, which is escaped when drawn.
    init(_ words: String, now: Moment) {
        self.words = words
        until = now + Self.shown
        isProblem = false
    }

    /// A trouble that lasts.
    init(lasting words: String) {
        self.words = words
        until = nil
        isProblem = true
    }

    /// Reports errors in files that were read: their number, the first one, and that the log shows all.
    ///
    /// - Parameters:
    ///   - problems: `winch.conf:3: there is no ...`; not empty.
    ///   - good: what succeeded; put before the problems.
    init(problems: [String], after good: String? = nil) {
        let first = problems.first ?? ""
        words =
            (good.map { $0 + "; " } ?? "")
            + (problems.count > 1
                ? "\(problems.count) problems (l shows all), the first: \(first)" : first + " (l shows it again)")
        until = nil
        isProblem = true
    }

    /// 4 s: a line takes two seconds to read, and the user may read it twice.
    private static let shown = Duration.seconds(4)
}

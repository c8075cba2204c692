import WinchCore

/// Something to read in the footer: for a while, or until a key is pressed.
struct Notice: Hashable, Sendable {
    let words: String
    /// `nil`: until a key is pressed.
    let until: Moment?
    /// Something is wrong that a person should mend.
    let isProblem: Bool

    /// - Parameter words: may hold text from outside; escaped when drawn.
    init(_ words: String, now: Moment) {
        self.words = words
        until = now + Self.shown
        isProblem = false
    }

    /// What is wrong with files that were read: how many things, the first, and where all of them stand.
    ///
    /// - Parameters:
    ///   - problems: `winch.conf:3: there is no ...`; not empty.
    ///   - good: what went well, said first.
    init(problems: [String], after good: String? = nil) {
        let first = problems.first ?? ""
        words =
            (good.map { $0 + "; " } ?? "")
            + (problems.count > 1
                ? "\(problems.count) problems (l shows all), the first: \(first)" : first + " (l shows it again)")
        until = nil
        isProblem = true
    }

    /// 4 s: a line is read in two; a second look takes as long.
    private static let shown = Duration.seconds(4)
}

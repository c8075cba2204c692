import WinchCore

/// Something to read in the footer for a while.
struct Notice: Hashable, Sendable {
    let words: String
    let until: Moment

    /// - Parameter words: may hold text from outside; escaped when drawn.
    init(_ words: String, now: Moment) {
        self.words = words
        until = now + Self.shown
    }

    /// 4 s: a line is read in two; a second look takes as long.
    private static let shown = Duration.seconds(4)
}

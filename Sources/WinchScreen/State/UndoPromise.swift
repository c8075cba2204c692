import WinchCore

/// A command was sent that `b` undoes. Until the engine has answered, `b` goes by this.
struct UndoPromise: Hashable, Sendable {
    /// Transfers that come back.
    var count: Int
    private var until: Moment

    /// The engine answers within a fraction of it, on a busy machine too.
    private static let longestAnswer = Duration.seconds(2)

    init(_ count: Int, at now: Moment) {
        self.count = count
        until = now + Self.longestAnswer
    }

    func holds(at now: Moment) -> Bool { now < until }
}

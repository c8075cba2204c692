import WinchModel

/// A command was sent that `b` can undo. Until the engine has confirmed it, `b` relies on this value.
struct UndoPromise: Hashable, Sendable {
    /// Number of transfers that `b` restores.
    var count: Int
    private var until: Moment

    /// 2 s: the engine answers in a fraction of that, even on a busy machine.
    private static let longestAnswer = Duration.seconds(2)

    init(_ count: Int, at now: Moment) {
        self.count = count
        until = now + Self.longestAnswer
    }

    func holds(at now: Moment) -> Bool { now < until }
}

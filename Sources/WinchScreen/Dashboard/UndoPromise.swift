import WinchModel

/// A command was sent that `b` can undo. Until the engine has confirmed it, `b` relies on this value.
struct UndoPromise: Hashable, Sendable {
    /// Number of transfers that `b` restores.
    var count: Int
    /// Those of them that were cancelled when they had a partial file.
    let partial: [TransferID]
    private let partsUntil: Moment
    private var until: Moment

    /// 2 s: the engine answers in a fraction of that, even on a busy machine.
    private static let longestAnswer = Duration.seconds(2)

    init(_ count: Int, partial: [TransferID] = [], at now: Moment) {
        self.count = count
        self.partial = partial
        until = now + Self.longestAnswer
        partsUntil = now + Dashboard.undoSpan
    }

    func holds(at now: Moment) -> Bool { now < until }

    /// The partial files of cancelled downloads are still there.
    func hasParts(at now: Moment) -> Bool { now < partsUntil }
}

extension Dashboard {
    /// How long the part of a cancelled download is kept, so that `b` brings its bytes back: long enough to notice a
    /// mistake and press a key, and not longer, because the part file occupies disk space until then.
    package static let undoSpan = Duration.seconds(10)
}

import WinchModel

/// When the engine posts changes that follow from the transport's reports alone.
struct PostingSchedule {
    /// When the last update was posted; `nil`: none was.
    private var postedAt: Moment?
    /// When the first of the changes that are held back was made; `nil`: none is held back.
    private var heldSince: Moment?

    /// 10 ms: front ends take no more updates than that, and each costs as much as a small file.
    static let interval = Duration.milliseconds(10)
    /// 4 ms: the threads of the transport report at the same instants, and one update for all of them costs half as much.
    static let gatherSpan = Duration.milliseconds(4)

    /// There are changes that are not posted.
    ///
    /// - Returns: when they are to be posted; `nil`: at once, because there was no update before.
    mutating func hold(at now: Moment) -> Moment? {
        guard let postedAt else { return nil }
        let since = heldSince ?? now
        heldSince = since
        return max(postedAt + Self.interval, since + Self.gatherSpan)
    }

    /// All changes have been posted.
    mutating func posted(at now: Moment) { (postedAt, heldSince) = (now, nil) }
}

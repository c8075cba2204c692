/// What a person wants when pressing a key, whatever key it is.
enum Intent: Hashable, Sendable, CaseIterable {
    case up, down, first, last, pageUp, pageDown
    case pauseOrResume, pauseOrResumeAll
    case cancel
    case retry, retryFailed
    case add
    case toggleMode
    case moreSlots, fewerSlots
    case moveEarlier, moveLater
    case slower, faster
    case help
    case quit, interrupt
    case suspend, redraw
    /// Out of whatever is open; on the dashboard itself: follow the haul again.
    case back
}

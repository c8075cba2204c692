/// What the user wants by pressing a key, independent of the key that is bound to it.
enum KeyAction: String, Hashable, Sendable, CaseIterable {
    case up, down, first, last, pageUp, pageDown
    case pauseOrResume = "pause"
    case pauseOrResumeAll = "pauseAll"
    case cancel
    case retry, retryFailed
    case add
    case toggleMode
    case nextTheme
    case moreSlots, fewerSlots
    case moveEarlier, moveLater, moveFirst, moveLast
    case limitRow
    case moreConnections, fewerConnections
    case tag, untag, untagAll, tagAll
    case remove, removeDone, bringBack
    case filter
    case sortNext, sortPrevious, invertSort
    /// The selected row keeps its line on the screen while rows move.
    case holdLine
    case nextView, previousView, viewAll, viewActive, viewWaiting, viewFailed, viewDone
    case toggleMouse
    case slower, faster
    case details, scrollDetailsDown, scrollDetailsUp
    case openFolder, copyURL = "copyUrl"
    case editURL = "editUrl"
    case log, settings, columns, saveSettings
    /// The machines of a fleet.
    case machines
    case command
    case help
    case quit, interrupt
    /// Hands the run over to a session.
    case background
    /// Ends the session of an attached dashboard.
    case stopSession
    case suspend, redraw
    /// Closes the details, else clears the filter, else makes the cursor follow the active rows again.
    case back
}

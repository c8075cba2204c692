public import WinchCore

/// What reaches the screen's reducer. The instant travels beside it.
public enum ScreenEvent: Sendable {
    case key(Key)
    case resized(columns: Int, rows: Int)
    /// The board has been changed by this update (already applied to it).
    case updated(Update)
    /// A frame is due: animations move on to `at`.
    case tick
    /// Focus, suspend and the like: everything is to be drawn anew.
    case redraw
    /// Ctrl-C from the keyboard or SIGINT.
    case interrupt
    /// Something for a person to read in the footer for a while.
    case notice(String)
    /// Lines of files that cannot be as they were meant: in the log each of them, in the footer the first, until a key is
    /// pressed. Not empty.
    case problems([String])
    /// A run needs an answer; answered by `ScreenAction.reply`.
    case inquiry(Inquiry)
    /// What became of `ScreenAction.save`: words for the user, and the settings that stand in the file now.
    case saved(String, lines: [SettingLines.Line])
    /// The inquiry of this id needs no answer any more.
    case inquiryWithdrawn(Int)
    /// What became of text that was typed or pasted to be added: how much was, and which of its lines are wrong.
    case added(String?, problems: [String])
    /// The answer to `ScreenAction.listPaths`.
    case paths(PathListing)
}

/// What the reducer wants done outside of the screen.
public enum ScreenAction: Sendable {
    case send(Command)
    /// Text typed or pasted after `a`: to be parsed as a batch and added.
    case add(String)
    /// Find the files that a path being typed may become; answered by `ScreenEvent.paths`, at any time or never.
    case listPaths(String)
    /// Put text on the person's clipboard.
    case copy(String)
    /// Show a folder in the file manager.
    case openFolder(String)
    /// Frames a second at most, 1 to 20.
    case setFrames(Int)
    /// The mouse is to be the dashboard's or the terminal's own.
    case setMouse(Bool)
    /// Keep these settings, named as options, in the settings file; answered by `ScreenEvent.saved` or `problems`.
    case save([Setting])
    /// The user's reply to the inquiry of this id.
    case reply(Int, Inquiry.Reply)
    /// Leave the dashboard in order.
    case leave
    /// Leave now, without waiting for anything.
    case leaveAtOnce
    /// Suspend the process group (Ctrl-Z).
    case suspend
    /// Clear the terminal and draw everything.
    case redraw
}

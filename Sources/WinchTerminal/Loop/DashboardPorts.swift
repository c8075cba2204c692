import WinchBatch
import WinchModel
import WinchScreen

/// What a dashboard needs of the rest of the program. No closure may block.
struct DashboardPorts {
    /// Sends a command to the engine.
    var send: (Command) -> Void
    /// Adds typed or pasted text as a batch; returns an event to show at once, or `nil`.
    var addText: (String) -> ScreenEvent?
    /// Returns events that are ready by now, such as results of `addText` that took longer; called after each wake-up.
    var takeResults: () -> [ScreenEvent]
    /// Writes settings to the settings file; returns the result.
    var save: ([NameValueLine]) -> ScreenEvent = { _ in .notice("Settings cannot be saved here") }
    /// Delivers the user's reply to the inquiry with this id.
    var answer: (Int, UserQuestion.Reply) -> Void = { _, _ in }
    /// Lists the completions of a typed path. The result comes with `takeResults`.
    var listPaths: (String) -> Void = { _ in }
    /// True when there is no engine any more, although the loop has not told it to quit: it could not be started.
    var isOver: () -> Bool = { false }
    /// Shows a folder; returns an error message for the user, or `nil`.
    var openFolder: (String) -> String? = { FolderOpener().open($0) }
    /// Stops the process until it is continued.
    var stop: () -> Void = SignalMask.stopProcessGroup
}

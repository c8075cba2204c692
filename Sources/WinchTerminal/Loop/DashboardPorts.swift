package import WinchBatch
package import WinchModel
package import WinchScreen

/// What a dashboard needs of the rest of the program. No closure may block.
package struct DashboardPorts {
    /// Sends a command to the engine.
    package var send: (Command) -> Void
    /// Adds typed or pasted text as a batch; returns an event to show at once, or `nil`.
    package var addText: (String) -> ScreenEvent?
    /// Returns events that are ready by now, such as results of `addText` that took longer; called after each wake-up.
    package var takeResults: () -> [ScreenEvent]
    /// Writes settings to the settings file; returns the result.
    package var save: ([NameValueLine]) -> ScreenEvent = { _ in .notice("Settings cannot be saved here") }
    /// Delivers the user's reply to the inquiry with this id.
    package var answer: (Int, UserQuestion.Reply) -> Void = { _, _ in }
    /// Lists the completions of a typed path. The result comes with `takeResults`.
    package var listPaths: (String) -> Void = { _ in }
    /// True when there is no engine any more, although the loop has not told it to quit: it could not be started.
    package var isOver: () -> Bool = { false }
    /// Why no session can take the run over, for the user; `nil`: one can.
    package var reasonAgainHandOver: () -> String? = { "This run cannot go on in the background" }
    /// Connects to the session again, at once.
    package var reconnect: () -> Void = {}
    /// Shows a folder; returns an error message for the user, or `nil`.
    package var openFolder: (String) -> String? = { FolderOpener().open($0) }
    /// Stops the process until it is continued.
    package var stop: () -> Void = SignalMask.stopProcessGroup

    package init(
        send: @escaping (Command) -> Void, addText: @escaping (String) -> ScreenEvent?,
        takeResults: @escaping () -> [ScreenEvent]
    ) {
        (self.send, self.addText, self.takeResults) = (send, addText, takeResults)
    }
}

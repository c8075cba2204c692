package import WinchBatch
package import WinchModel

/// An event for the screen's reducer. Its instant is passed separately.
package enum ScreenEvent: Sendable {
    case key(Key)
    case resized(columns: Int, rows: Int)
    /// The board has been changed by this update (already applied to it).
    case updated(Update)
    /// A frame is due: animations advance to the event's instant.
    case tick
    /// The screen must be drawn anew, e.g. after a suspend.
    case redraw
    /// Ctrl-C from the keyboard or SIGINT.
    case interrupt
    /// A message for the user, shown above the footer for some seconds.
    case notice(String)
    /// Errors in lines of configuration files; not empty. All are logged; the first is shown above the footer until a
    /// key is pressed.
    case problems([String])
    /// The result of `ScreenAction.save`: a message for the user, and the settings that the file contains now.
    case saved(String, lines: [NameValueLines.Line])
    /// The result of adding typed or pasted text: a message about what was added, `nil` for nothing, and the errors
    /// in its lines.
    case added(String?, problems: [String])
    /// The connection to the session is lost, why, and what is done about it; `nil`: it is there again.
    case connectionLost(String?)
    /// The result of `ScreenAction.listPaths`.
    case paths(PathListing)
    /// The result of `ScreenAction.planHandOver`: a session can take the run over, but for these options, as in a sentence;
    /// empty: it takes over all.
    case handOverPlanned(optionsLeft: String)
    case fleet(FleetView)
    /// Entries for the log, which need not be later than those before.
    case logged([LogEntry])
}

/// An effect outside the screen that the reducer asks its caller to carry out.
package enum ScreenAction: Sendable {
    case send(Command)
    /// Text typed or pasted after `a`: to be parsed as a batch and added.
    case add(String)
    /// List the files that complete a path being typed; answered by `ScreenEvent.paths`, at any time or never.
    case listPaths(String)
    case copy(String)
    case openFolder(String)
    /// Draw at most this many frames a second, 1 to 20.
    case setFrames(Int)
    /// Turn mouse reporting on, or off, so that the terminal itself handles the mouse.
    case setMouse(Bool)
    /// Write these settings, named as options, to the settings file; answered by `ScreenEvent.saved` or `problems`.
    case save([NameValueLine])
    case leave
    /// Find out what a session would take over; answered by `ScreenEvent.handOverPlanned`, or by a notice why none can.
    case planHandOver
    /// Hand the run over to a session and leave.
    case handOver
    /// End the session that the dashboard is attached to, and leave.
    case stopSession
    /// Connect to the session again, at once.
    case reconnect
    /// Leave now, without waiting for anything.
    case quitAtOnce
    /// Suspend the process group (Ctrl-Z).
    case suspend
    /// Clear the terminal and draw everything.
    case redraw
}

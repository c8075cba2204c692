import Glibc
package import WinchBatch
package import WinchModel
package import WinchScreen

/// What both loops of a dashboard do in the same way: passes events to it, carries out its actions, and handles updates, keys and
/// signals. It owns the dashboard and its copy of the queue.
final class DashboardDriver {
    private(set) var dashboard: Dashboard
    private(set) var board = QueueCopy()
    private var decisions = SignalActions()
    private let mailbox: LoopMailbox
    private var decoder: KeyDecoder
    /// When the decoder's incomplete sequence must be decoded as it is.
    private(set) var settleAt: Moment?
    /// Another job has the terminal: transfers continue without a dashboard until this process is in the foreground.
    var isInBackground = false
    /// One of the keys that are handled has stopped the process.
    private var hasSuspended = false
    let signals = SignalReader()
    let clock = MonotonicClock()
    private let ports: DashboardPorts
    weak var surface: (any DashboardSurface)?

    /// Time between two checks whether this process is in the foreground: no signal is sent when a shell's `fg` brings back a
    /// job that was not stopped.
    static let foregroundCheckInterval = Duration.milliseconds(200)
    /// Longest wait for the terminal before a stop: a slow line may have to take what the kernel holds of a frame first.
    private static let stopTimeout = Duration.seconds(10)

    init(_ dashboard: Dashboard, mailbox: LoopMailbox, decoder: KeyDecoder, ports: DashboardPorts) {
        self.dashboard = dashboard
        self.mailbox = mailbox
        self.decoder = decoder
        self.ports = ports
    }

    var end: LoopEnd? { decisions.end }

    /// - Returns: whether there was an update: the dashboard needs no tick for `now` then.
    @discardableResult
    func takeUpdate(at now: Moment) -> Bool {
        if ports.queue.feed.hasEnded { finish(.left, at: now) }
        for event in mailbox.takeEvents() { show(event, at: now) }
        guard let update = mailbox.updates.take(), board.apply(update) else { return false }
        show(.updated(update), at: now)
        return true
    }

    /// - Parameter bytes: from the terminal; `nil`: it is gone.
    func take(_ bytes: [UInt8]?, at now: Moment) {
        guard let bytes else { return hear([.hangUp], at: now) }
        press(decoder.feed(bytes), at: now)
    }

    var isUnwatched: Bool { decoder.hasFocus == false }

    /// Decodes an incomplete sequence as it is when its time is over.
    func settleKeys(at now: Moment) {
        if let settleAt, settleAt <= now { press(decoder.settle(), at: now) }
    }

    private func press(_ keys: [Key], at now: Moment) {
        settleAt = decoder.timeout.map { now + $0 }
        hasSuspended = false
        // Keys behind one that stops the process are dropped, as unread ones are: a second ^Z must not stop it after `fg`.
        for key in keys where end == nil && !hasSuspended {
            show(key == .control("c") ? .interrupt : .key(key), at: now)
            surface?.requestUrgentFrame()
        }
    }

    func hear(_ events: [SignalEvent], at now: Moment) {
        for signal in events { perform(decisions.hear(signal, isInBackground ? .away : .dashboard), at: now) }
    }

    func finish(_ reason: LoopEnd, at now: Moment) { perform(decisions.finish(reason), at: now) }

    private func perform(_ steps: [SignalActions.Step], at now: Moment) {
        for step in steps {
            switch step {
            case .quit: ports.queue.send(.quit)
            case .ask:
                show(.interrupt, at: now)
                surface?.requestUrgentFrame()
            case .resize: surface?.resize(at: now)
            case .stop: suspend()
            case .resumeAfterStop: resumeAfterStop(at: now)
            }
        }
    }

    /// Stops the process, unless the terminal cannot be restored before: the shell would get it in raw mode, with the
    /// dashboard on it.
    private func suspend() {
        hasSuspended = true
        // So is the start of one: an Escape must not act after `fg`. A paste goes on.
        _ = decoder.settle()
        settleAt = nil
        guard surface?.releaseTerminal(within: Self.stopTimeout) ?? true else {
            let now = clock.now()
            retakeTerminal(at: now)
            return show(.notice("not stopped: the terminal takes nothing"), at: now)
        }
        ports.stop()
        // The SIGCONT that ended the stop is pending as well; `resumeAfterStop` must run only once.
        let events = signals.take().filter { $0 != .continued }
        let now = clock.now()
        resumeAfterStop(at: now)
        hear(events, at: now)
    }

    /// The process continues after a stop, or is in the foreground again.
    func resumeAfterStop(at now: Moment) {
        ports.queue.send(.resumed(at: now))
        retakeTerminal(at: now)
    }

    private func retakeTerminal(at now: Moment) {
        isInBackground = surface?.isElsewhere ?? false
        if !isInBackground { surface?.retakeTerminal(at: now) }
    }

    /// The frame with everything that has changed so far.
    func draw(at now: Moment) -> Canvas {
        dashboard.frameWasDrawn()
        return dashboard.draw(board: board, at: now)
    }

    /// Passes an event to the dashboard and carries out the actions that it returns.
    func show(_ event: ScreenEvent, at now: Moment) {
        for action in dashboard.handle(event, board: board, at: now) where end == nil {
            switch action {
            case .send(let command):
                ports.queue.send(command)
                surface?.expectAnswer(at: now)
            case .add(let text):
                if let event = ports.addText(text) { show(event, at: now) }
            case .listPaths(let typed): ports.listPaths(typed)
            case .copy(let text):
                do throws(InvalidValue) {
                    try surface?.copy(text)
                } catch {
                    show(.notice(error.message), at: now)
                }
            case .openFolder(let folder):
                if let notice = ports.openFolder(folder) { show(.notice(notice), at: now) }
            case .setFrames(let perSecond): surface?.setFrames(perSecond: perSecond)
            case .setMouse(let isOn): surface?.setMouse(isOn)
            case .save(let settings): show(ports.save(settings), at: now)
            case .leave: finish(.left, at: now)
            case .planHandOver:
                let reason = ports.reasonAgainHandOver()
                show(
                    reason.map(ScreenEvent.notice) ?? .handOverPlanned(optionsLeft: ports.optionsLeftByHandOver()),
                    at: now)
            case .handOver: finish(.handedOver, at: now)
            case .reconnect: ports.reconnect()
            case .stopSession: finish(.stoppedSession, at: now)
            case .quitAtOnce: finish(.quitAtOnce, at: now)
            case .suspend: suspend()
            case .redraw: surface?.redraw()
            }
        }
        surface?.didShow(event, at: now)
    }
}

/// What a dashboard needs of the rest of the program. No closure may block.
package struct DashboardPorts {
    /// What is shown. When it has ended although the loop has not told it to quit, the loop ends as well.
    package let queue: any QueueAccess
    /// Adds typed or pasted text as a batch; returns an event to show at once; `nil`: it comes to the mailbox.
    package var addText: (String) -> ScreenEvent? = { _ in .notice("Nothing can be added here") }
    /// Writes settings to the settings file; returns the result.
    package var save: ([NameValueLine]) -> ScreenEvent = { _ in .notice("Settings cannot be saved here") }
    /// Lists the completions of a typed path. The result comes to the mailbox.
    package var listPaths: (String) -> Void = { _ in }
    /// Why no session can take the run over, for the user; `nil`: one can.
    package var reasonAgainHandOver: () -> String? = { "This run cannot go on in the background" }
    /// The options that no session takes over with the run, as in a sentence; empty: there are none.
    package var optionsLeftByHandOver: () -> String = { "" }
    package var reconnect: () -> Void = {}
    /// Shows a folder; returns an error message for the user, or `nil`.
    package var openFolder: (String) -> String? = { FolderOpener().open($0) }
    package var stop: () -> Void = SignalMask.stopProcessGroup

    package init(_ queue: any QueueAccess) { self.queue = queue }
}

/// The terminal under a dashboard: a screen, or lines for speech.
protocol DashboardSurface: AnyObject {
    var isElsewhere: Bool { get }
    /// Restores the terminal's state from before the dashboard.
    ///
    /// - Returns: whether the terminal has taken all bytes that do so.
    func releaseTerminal(within timeout: Duration) -> Bool
    /// Takes the terminal again after `releaseTerminal`, a stop of the process or its time in the background.
    func retakeTerminal(at now: Moment)
    func resize(at now: Moment)
    func redraw()
    /// Shows the effect of a key or of an interrupt without delay.
    func requestUrgentFrame()
    /// A command was sent: the update with its effect is shown without delay.
    func expectAnswer(at now: Moment)
    func copy(_ text: String) throws(InvalidValue)
    func setFrames(perSecond: Int)
    func setMouse(_ isOn: Bool)
    /// The dashboard has handled an event, and its actions are done.
    func didShow(_ event: ScreenEvent, at now: Moment)
}

/// Shows a folder in the user's file manager with `xdg-open`, which runs in the background, its output discarded.
struct FolderOpener {
    /// POSIX_SPAWN_SETSID, which Glibc's module leaves out.
    private static let newSession: Int16 = 0x80

    /// `PATH`; empty when not set.
    private let path: String

    init(path: String = getenv("PATH").map { String(systemC: $0) } ?? "") {
        self.path = path
    }

    /// - Returns: the error message for the user; `nil` if `xdg-open` was started.
    func open(_ folder: String) -> String? {
        guard let program else { return "xdg-open is not installed; the folder is \(folder)" }
        var status = stat()
        guard stat(folder.cBytes, &status) == 0 else { return "\(folder): \(String(cString: strerror(errno)))" }
        return Self.spawn(program, folder).map { "xdg-open: \(String(cString: strerror($0)))" }
    }

    /// The first executable `xdg-open` in `PATH`.
    private var program: String? {
        path.split(separator: ":").map { "\($0)/xdg-open" }.first { access($0.cBytes, X_OK) == 0 }
    }

    /// Starts the program from a shell that puts it in the background and ends, so that init becomes its parent and
    /// reaps it. The path is passed as an argument, not as text of the script.
    ///
    /// - Returns: the error number if the shell could not be started.
    private static func spawn(_ program: String, _ folder: String) -> Int32? {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // In its own session the child does not receive Ctrl-C.
        let flags = OrdinarySignals.give(to: &attributes) | Self.newSession
        posix_spawnattr_setflags(&attributes, flags)

        let script = "\"$1\" \"$2\" </dev/null >/dev/null 2>&1 &"
        let arguments = ["sh", "-c", script, "sh", program, folder.hasPrefix("-") ? "./" + folder : folder]
        var texts = arguments.map { strdup($0.cBytes) } + [nil]
        defer { for text in texts { free(text) } }
        var child = pid_t()
        let code = posix_spawn(&child, "/bin/sh", nil, &attributes, &texts, environ)
        guard code == 0 else { return code }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        return nil
    }
}

import Glibc
package import WinchBatch
package import WinchModel
package import WinchScreen

/// The dashboard's event loop on the main thread: waits for keys, signals, updates and the next frame in one place,
/// and handles one event at a time.
///
/// It owns the dashboard and its board. It never waits for the engine: commands are sent, updates arrive in the
/// mailbox.
package final class TerminalLoop {
    private let session: TerminalSession
    private var dashboard: Dashboard
    private var board = QueueMirror()
    private let mailbox: UpdateBuffer
    private let wake: WakePort
    private let signals = SignalReader()
    private let clock = MonotonicClock()
    private var decoder: KeyDecoder
    private var pacer: FramePacer
    /// When the decoder's incomplete sequence must be decoded as it is.
    private var settleAt: Moment?
    private var hasMail = false
    private let notice: TerminalSession.Notice
    /// All transfers were settled at the last frame. True at the start, so that a list that is settled from the start
    /// causes no notification.
    private var wasSettled = true
    private var end: LoopEnd?
    /// Another job has the terminal: transfers continue without a screen until this process is in the foreground.
    private var isAway = false
    /// The dashboard has been shown. Until then the run is a background job like any other, which ends when all
    /// transfers are settled.
    private var wasShown = false
    private let send: (Command) -> Void
    private let addText: (String) -> ScreenEvent?
    private let takeNews: () -> [ScreenEvent]
    private let greeting: [ScreenEvent]
    /// Writes settings to the settings file; returns the result.
    package var save: ([Setting]) -> ScreenEvent = { _ in .notice("Settings cannot be saved here") }
    /// Delivers the user's reply to the inquiry with this id; must not block.
    package var answer: (Int, Inquiry.Reply) -> Void = { _, _ in }
    /// Lists the completions of a typed path; must not block. The result comes with `takeNews`.
    package var listPaths: (String) -> Void = { _ in }
    /// True when there is no engine any more, although the loop has not told it to quit: it could not be started.
    package var isOver: () -> Bool = { false }
    /// Shows a folder; returns an error message for the user, or `nil`.
    var openFolder: (String) -> String? = { FolderOpener().open($0) }
    /// Stops the process until it is continued.
    var stop: () -> Void = SignalMask.stopProcessGroup

    /// - Parameters:
    ///   - session: the terminal, not entered yet; `dashboard` was made for its size.
    ///   - mailbox: calls `wake` when it gets an update while it is empty.
    ///   - notice: how to notify the user when all transfers are settled.
    ///   - send: sends a command to the engine; must not block.
    ///   - addText: adds typed or pasted text as a batch; must not block; returns an event to show at once, or `nil`.
    ///   - takeNews: returns events that are ready by now, such as results of `addText` that took longer; called
    ///     after each wake-up.
    ///   - greeting: events to show at the start, the most important last.
    package init(
        session: TerminalSession, dashboard: Dashboard, mailbox: UpdateBuffer, wake: WakePort,
        framesPerSecond: Int = 20,
        notice: TerminalSession.Notice = .off, send: @escaping (Command) -> Void,
        addText: @escaping (String) -> ScreenEvent?, takeNews: @escaping () -> [ScreenEvent] = { [] },
        greeting: [ScreenEvent] = []
    ) {
        self.notice = notice
        self.session = session
        self.dashboard = dashboard
        self.mailbox = mailbox
        self.wake = wake
        self.send = send
        self.addText = addText
        self.takeNews = takeNews
        self.greeting = greeting
        decoder = KeyDecoder(sequences: session.keys, encoding: session.encoding)
        pacer = FramePacer(framesPerSecond: framesPerSecond)
    }

    /// Runs until the user, a signal or the end of all transfers ends it; the terminal is restored when it returns.
    package func run() -> LoopEnd {
        isAway = session.device.isElsewhere
        if !isAway { session.enter() }
        wasShown = !isAway
        defer { session.leave() }
        show(.resized(columns: session.size.columns, rows: session.size.rows), at: clock.now())
        for event in greeting { show(event, at: clock.now()) }
        hasMail = true
        while true {
            if let end { return end }
            let now = clock.now()
            if isAway {
                beAway(at: now)
            } else {
                if pacer.isDue(at: now), !session.device.hasUnsent { frame(at: now) }
                if end == nil { wait() }
            }
        }
    }

    /// Time between two checks whether this process is in the foreground: no signal is sent when a shell's `fg`
    /// brings back a job that was not stopped.
    static let glanceSpan = Duration.milliseconds(200)

    /// One iteration of the loop that neither reads from the terminal nor writes to it.
    private func beAway(at now: Moment) {
        takeMail(at: now)
        show(.tick, at: now)
        if !wasShown, board.totals.count > 0, board.totals.allSettled { finish(.left) }
        guard end == nil else { return }
        var poll = PollSet([.input(signals.descriptor)])
        poll.wait(until: now + Self.glanceSpan, clock: clock)
        let now = clock.now()
        wake.drain()
        hasMail = true
        signals.take().forEach { heed($0, at: now) }
        if isAway, end == nil, !session.device.isElsewhere { goOn(at: now) }
    }

    private func wait() {
        let keyboard = session.device.descriptor
        // The next frame is not drawn before the terminal has taken the previous one.
        let isBusy = session.device.hasUnsent
        var poll = PollSet([
            isBusy ? .both(keyboard) : .input(keyboard), .input(signals.descriptor),
            // An update that waits for its frame need not wake the loop again.
            .input(hasMail ? -1 : wake.descriptor),
        ])
        poll.wait(until: [isBusy ? nil : pacer.due, settleAt].compactMap(\.self).min(), clock: clock)
        let now = clock.now()
        if isBusy { session.device.flush() }
        if poll.isReadable(signals.descriptor) { signals.take().forEach { heed($0, at: now) } }
        if poll.isReadable(keyboard) { readKeys(at: now) }
        if let settleAt, settleAt <= now { press(decoder.settle(), at: now) }
        if poll.isReadable(wake.descriptor) {
            wake.drain()
            hasMail = true
            pacer.want()
        }
    }

    private func frame(at now: Moment) {
        takeMail(at: now)
        show(.tick, at: now)
        guard end == nil else { return }
        session.present(dashboard.draw(board: board, at: now))
        session.present(title: board.totals)
        callWhenSettled()
        pacer.drew(at: now, next: dashboard.nextFrame(board: board, after: now))
    }

    private func takeMail(at now: Moment) {
        guard hasMail else { return }
        hasMail = false
        if isOver() { end = .left }
        for event in takeNews() { show(event, at: now) }
        guard let update = mailbox.take() else { return }
        board.apply(update)
        show(.updated(update), at: now)
    }

    /// Notifies the user once, when the last transfer has settled.
    private func callWhenSettled() {
        let totals = board.totals
        let isSettled = totals.count > 0 && totals.allSettled
        defer { if totals.count > 0 { wasSettled = isSettled } }
        guard isSettled, !wasSettled else { return }
        let counts = [(totals.finished, "finished"), (totals.failed, "failed"), (totals.cancelled, "cancelled")]
        session.notify(
            notice, "winch: " + counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", "))
    }

    private func readKeys(at now: Moment) {
        guard let bytes = session.device.read() else {
            heed(.hangUp, at: now)
            return
        }
        press(decoder.feed(bytes), at: now)
        for answer in decoder.takeAnswers() {
            switch answer {
            case .focus(let isWatched):
                pacer.isUnwatched = !isWatched
                pacer.want()
            }
        }
    }

    private func press(_ keys: [Key], at now: Moment) {
        settleAt = decoder.patience.map { now + $0 }
        for key in keys where end == nil {
            show(key == .control("c") ? .interrupt : .key(key), at: now)
            pacer.hurry()
        }
    }

    private func heed(_ news: SignalEvent, at now: Moment) {
        guard end == nil else { return }
        switch news {
        case .resized: if !isAway { resize(at: now) }
        case .suspend: suspend()
        case .continued: goOn(at: now)
        case .interrupt where isAway: finish(.signalled(SIGINT))
        case .interrupt:
            show(.interrupt, at: now)
            pacer.hurry()
        case .terminate: finish(.signalled(SIGTERM))
        case .hangUp: finish(.signalled(SIGHUP))
        }
    }

    private func finish(_ end: LoopEnd) {
        self.end = end
        if end != .leftAtOnce { send(.quit) }
    }

    private func resize(at now: Moment) {
        if session.measure() {
            show(.resized(columns: session.size.columns, rows: session.size.rows), at: now)
        } else {
            // The window was made smaller and larger again in between: the terminal has lost what was cut off.
            session.redraw()
        }
        pacer.want()
    }

    private func suspend() {
        session.leave()
        stop()
        // The SIGCONT that ended the stop is pending as well; `goOn` must run only once.
        let news = signals.take().filter { $0 != .continued }
        let now = clock.now()
        goOn(at: now)
        for piece in news { heed(piece, at: now) }
    }

    private func goOn(at now: Moment) {
        send(.resumed(at: now))
        isAway = session.device.isElsewhere
        guard !isAway else { return }
        wasShown = true
        session.retake()
        show(.resized(columns: session.size.columns, rows: session.size.rows), at: now)
        show(.redraw, at: now)
        pacer.hurry()
    }

    /// Passes an event to the dashboard and carries out the actions that it returns.
    private func show(_ event: ScreenEvent, at now: Moment) {
        for action in dashboard.handle(event, board: board, at: now) where end == nil {
            switch action {
            case .send(let command): send(command)
            case .add(let text):
                if let event = addText(text) { show(event, at: now) }
            case .listPaths(let typed): listPaths(typed)
            case .copy(let text):
                do throws(Clipboard.Refusal) {
                    try session.copy(text)
                } catch {
                    show(.notice(error.words), at: now)
                }
            case .openFolder(let folder):
                if let notice = openFolder(folder) { show(.notice(notice), at: now) }
            case .setFrames(let perSecond):
                let isUnwatched = pacer.isUnwatched
                pacer = FramePacer(framesPerSecond: perSecond)
                pacer.isUnwatched = isUnwatched
            case .setMouse(let isOn): session.capturesMouse = isOn
            case .save(let settings): show(save(settings), at: now)
            case .reply(let inquiry, let reply): answer(inquiry, reply)
            case .leave: finish(.left)
            case .leaveAtOnce: finish(.leftAtOnce)
            case .suspend: suspend()
            case .redraw:
                session.redraw()
                pacer.hurry()
            }
        }
    }
}

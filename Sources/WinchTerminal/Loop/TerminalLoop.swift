import Glibc
public import WinchCore
public import WinchScreen

/// The dashboard's life on the main thread: waits for keys, signals, news and the next frame in one place, and does one
/// thing at a time.
///
/// It owns the dashboard and the face's board. It never waits for the engine: commands go out, updates come in.
public final class TerminalLoop {
    private let session: TerminalSession
    private var dashboard: Dashboard
    private var board = Board()
    private let mailbox: Mailbox
    private let wake: WakePort
    private let signals = SignalReader()
    private let clock = MonotonicClock()
    private var decoder: KeyDecoder
    private var pacer: FramePacer
    /// When the decoder's open sequence is all there will be.
    private var settleAt: Moment?
    private var hasMail = false
    private let notice: TerminalSession.Notice
    /// True before anything is known: a list that is settled from the start calls nobody.
    private var wasSettled = true
    private var end: LoopEnd?
    /// Another job has the terminal: the haul goes on without a face until it is ours.
    private var isAway = false
    /// The dashboard has been on the screen. Until then the run is a job like any other, which ends when it is done.
    private var wasShown = false
    private let send: (Command) -> Void
    private let addText: (String) -> ScreenEvent?
    private let takeNews: () -> [ScreenEvent]
    private let greeting: [ScreenEvent]
    /// Keeps settings in the settings file; returns what became of it.
    public var save: ([Setting]) -> ScreenEvent = { _ in .notice("Settings cannot be saved here") }
    /// Takes the user's reply to the inquiry of this id to where it came from; must not wait.
    public var answer: (Int, Inquiry.Reply) -> Void = { _, _ in }
    /// Finds what a path being typed may become; must not wait. The answer comes with the news.
    public var listPaths: (String) -> Void = { _ in }
    /// Shows a folder; returns what to tell the person when it cannot.
    var openFolder: (String) -> String? = { FolderOpener().open($0) }
    /// Stops the process until it is continued.
    var stop: () -> Void = SignalGate.stopProcessGroup

    /// - Parameters:
    ///   - session: not entered yet; `dashboard` was made for its size.
    ///   - mailbox: wakes `wake` when it turns full.
    ///   - notice: how to call the person when everything is settled.
    ///   - send: takes a command to the engine; must not wait.
    ///   - addText: adds typed or pasted text as a batch; must not wait; returns what to tell the user at once.
    ///   - takeNews: what came of text that could not be added at once; asked for after each waking.
    ///   - greeting: what to tell the person first, the most important last.
    public init(
        session: TerminalSession, dashboard: Dashboard, mailbox: Mailbox, wake: WakePort, framesPerSecond: Int = 20,
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

    /// Runs until somebody or something ends it; the terminal is restored when it returns.
    public func run() -> LoopEnd {
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

    /// Nothing tells when a shell's `fg` brings a job back that was not stopped: one has to look.
    static let glanceSpan = Duration.milliseconds(200)

    /// A turn of the loop in which nothing is read from the terminal and nothing is written to it.
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
        // While the terminal has not taken a frame there is no sense in drawing the next one.
        let isBusy = session.device.hasUnsent
        var poll = PollSet([
            isBusy ? .both(keyboard) : .input(keyboard), .input(signals.descriptor),
            // News that is waiting for its frame need not wake anybody again.
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
        for event in takeNews() { show(event, at: now) }
        guard let update = mailbox.take() else { return }
        board.apply(update)
        show(.updated(update), at: now)
    }

    /// Once, when the last of them has settled.
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

    private func heed(_ news: SignalNews, at now: Moment) {
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
            // Smaller and back again before we looked: what was cut off is gone from the screen all the same.
            session.redraw()
        }
        pacer.want()
    }

    private func suspend() {
        session.leave()
        stop()
        // The signal that woke us is in the queue as well; once is enough.
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

    /// Lets the dashboard see an event and does what it asks for.
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

import Glibc
package import WinchBatch
package import WinchModel
package import WinchScreen

/// The dashboard for speech output and screen readers: the usual keys, and sentences instead of frames. It only
/// appends lines; it never moves the cursor, clears the screen or sets colours.
package final class SpokenLoop {
    private let device: TerminalDevice
    private let guardian: Guardian
    private let extras: TerminalFeatures
    /// The terminal can show ASCII only.
    private let isASCII: Bool
    private var dashboard: Dashboard
    private var speech = Speech()
    private var board = QueueMirror()
    private let mailbox: UpdateBuffer
    private let wake: WakePort
    private let signals = SignalReader()
    private let clock = MonotonicClock()
    private var decoder = KeyDecoder()
    private var settleAt: Moment?
    private var end: LoopEnd?
    /// Another job has the terminal: transfers continue, and nothing is written until this process is in the
    /// foreground.
    private var isAway = false
    private var hasMail = true
    /// When the next update may be taken from the mailbox.
    private var opens: Moment?
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

    /// Updates are taken twice a second, which is soon enough for speech; keys are handled at once.
    private static let mailSpan = Duration.milliseconds(500)
    /// Longest wait for the terminal to take the last bytes.
    private static let patience = Duration.milliseconds(500)

    /// - Parameters:
    ///   - output: the terminal, normally standard output; keys are read from it too.
    ///   - isASCII: the terminal can show ASCII only.
    ///   - dashboard: the same as for a screen; its size does not matter.
    ///   - mailbox: calls `wake` when it gets an update while it is empty.
    ///   - send: sends a command to the engine; must not block.
    ///   - addText: adds typed or pasted text as a batch; must not block; returns an event to show at once, or `nil`.
    ///   - takeNews: returns events that are ready by now, such as results of `addText` that took longer; called
    ///     after each wake-up.
    ///   - greeting: events to show at the start, the most important last.
    /// - Throws: if `output` is not a terminal or cannot be opened.
    package init(
        output: Int32 = 1, isASCII: Bool = false, dashboard: Dashboard, mailbox: UpdateBuffer, wake: WakePort,
        send: @escaping (Command) -> Void, addText: @escaping (String) -> ScreenEvent?,
        takeNews: @escaping () -> [ScreenEvent] = { [] },
        greeting: [ScreenEvent] = []
    ) throws(TerminalFailure) {
        device = try TerminalDevice(sharing: output)
        guardian = Guardian(device: device, leaving: [])
        self.isASCII = isASCII
        let traits = TerminalEnvironment.fromEnvironment()
        extras = TerminalFeatures(traits: traits, entry: try? TerminfoEntry(term: traits.term))
        self.dashboard = dashboard
        self.mailbox = mailbox
        self.wake = wake
        self.send = send
        self.addText = addText
        self.takeNews = takeNews
        self.greeting = greeting
    }

    /// Runs until the user, a signal or the end of all transfers ends it; the terminal is restored when it returns.
    package func run() -> LoopEnd {
        takeTerminal()
        defer { giveTerminal() }
        for event in greeting { show(event, at: clock.now()) }
        while true {
            let now = clock.now()
            if hasMail, opens.map({ $0 <= now }) ?? true { takeMail(at: now) }
            show(.tick, at: now)
            if let end { return end }
            wait()
        }
    }

    private func takeTerminal() {
        isAway = device.isElsewhere
        guard !isAway else { return }
        CrashHandler.raise(device: device, leaving: [], guardian: guardian, holdsErrors: false)
        guardian.tell(isTaken: true)
        device.makeRaw()
    }

    private func giveTerminal() {
        guard !isAway else { return }
        device.drain(within: Self.patience)
        device.makeCooked()
        CrashHandler.lower()
        guardian.tell(isTaken: false)
    }

    private func takeMail(at now: Moment) {
        hasMail = false
        opens = now + Self.mailSpan
        for event in takeNews() { show(event, at: now) }
        guard let update = mailbox.take() else { return }
        board.apply(update)
        show(.updated(update), at: now)
    }

    private func wait() {
        var poll = PollSet([
            isAway ? .input(-1) : device.hasUnsent ? .both(device.descriptor) : .input(device.descriptor),
            .input(signals.descriptor), .input(hasMail ? -1 : wake.descriptor),
        ])
        let leaves = dashboard.leavesAt(board: board, after: clock.now())
        let glance = isAway ? clock.now() + TerminalLoop.glanceSpan : nil
        poll.wait(until: [settleAt, hasMail ? opens : nil, leaves, glance].compactMap(\.self).min(), clock: clock)
        let now = clock.now()
        if isAway, !device.isElsewhere { goOn(at: now) }
        device.flush()
        if poll.isReadable(signals.descriptor) { signals.take().forEach { heed($0, at: now) } }
        if poll.isReadable(device.descriptor) {
            guard let bytes = device.read() else { return finish(.signalled(SIGHUP)) }
            press(decoder.feed(bytes), at: now)
        }
        if let settleAt, settleAt <= now { press(decoder.settle(), at: now) }
        if poll.isReadable(wake.descriptor) {
            wake.drain()
            hasMail = true
        }
    }

    private func press(_ keys: [Key], at now: Moment) {
        settleAt = decoder.patience.map { now + $0 }
        for key in keys where end == nil {
            show(key == .control("c") ? .interrupt : .key(key), at: now)
        }
    }

    private func heed(_ news: SignalEvent, at now: Moment) {
        guard end == nil else { return }
        switch news {
        case .resized: break
        case .suspend: suspend()
        case .continued: goOn(at: now)
        case .interrupt where isAway: finish(.signalled(SIGINT))
        case .interrupt: show(.interrupt, at: now)
        case .terminate: finish(.signalled(SIGTERM))
        case .hangUp: finish(.signalled(SIGHUP))
        }
    }

    private func suspend() {
        giveTerminal()
        SignalMask.stopProcessGroup()
        let news = signals.take().filter { $0 != .continued }
        let now = clock.now()
        goOn(at: now)
        for piece in news { heed(piece, at: now) }
    }

    private func goOn(at now: Moment) {
        takeTerminal()
        send(.resumed(at: now))
        say(["Winch goes on."])
    }

    private func finish(_ end: LoopEnd) {
        self.end = end
        if end != .leftAtOnce { send(.quit) }
    }

    private func show(_ event: ScreenEvent, at now: Moment) {
        for action in dashboard.handle(event, board: board, at: now) where end == nil {
            switch action {
            case .send(let command): send(command)
            case .add(let text):
                if let event = addText(text) { show(event, at: now) }
            case .listPaths(let typed): listPaths(typed)
            case .copy(let text):
                do throws(Clipboard.Refusal) {
                    device.send(try Clipboard.sequence(copying: text, extras: extras))
                } catch {
                    show(.notice(error.words), at: now)
                }
            case .openFolder(let folder):
                if let notice = FolderOpener().open(folder) { show(.notice(notice), at: now) }
            case .save(let settings): show(save(settings), at: now)
            case .reply(let inquiry, let reply): answer(inquiry, reply)
            case .leave: finish(.left)
            case .leaveAtOnce: finish(.leftAtOnce)
            case .suspend: suspend()
            case .setFrames, .setMouse, .redraw: break
            }
        }
        let update: Update? = if case .updated(let update) = event { update } else { nil }
        let isKey = if case .key = event { true } else { false }
        say(speech.lines(for: dashboard, board: board, update: update, isKey: isKey, at: now))
    }

    /// Writes lines. The terminal is in raw mode, so a line ends with CR and LF.
    private func say(_ lines: [String]) {
        guard !lines.isEmpty, !isAway else { return }
        device.send(Array(lines.map { PlainText($0, isASCII: isASCII).description + "\r\n" }.joined().utf8))
    }
}

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
    private let driver: DashboardDriver
    private var speech = Speech()
    private let wake: WakePort
    private var hasMail = true
    /// When the next update may be taken from the mailbox.
    private var opens: Moment?
    private let greeting: [ScreenEvent]

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
        self.wake = wake
        self.greeting = greeting
        driver = DashboardDriver(
            dashboard, mailbox: mailbox, decoder: KeyDecoder(),
            ports: DashboardPorts(send: send, addText: addText, takeNews: takeNews))
        driver.surface = self
    }

    /// Writes settings to the settings file; returns the result.
    package var save: ([NameValueLine]) -> ScreenEvent {
        get { driver.ports.save }
        set { driver.ports.save = newValue }
    }
    /// Delivers the user's reply to the inquiry with this id; must not block.
    package var answer: (Int, UserQuestion.Reply) -> Void {
        get { driver.ports.answer }
        set { driver.ports.answer = newValue }
    }
    /// Lists the completions of a typed path; must not block. The result comes with `takeNews`.
    package var listPaths: (String) -> Void {
        get { driver.ports.listPaths }
        set { driver.ports.listPaths = newValue }
    }

    /// Runs until the user, a signal or the end of all transfers ends it; the terminal is restored when it returns.
    package func run() -> LoopEnd {
        driver.isAway = isElsewhere
        takeTerminal()
        defer { giveTerminal() }
        for event in greeting { driver.show(event, at: driver.clock.now()) }
        while true {
            let now = driver.clock.now()
            if hasMail, opens.map({ $0 <= now }) ?? true { takeMail(at: now) }
            driver.show(.tick, at: now)
            if let end = driver.end { return end }
            wait()
        }
    }

    private func takeTerminal() {
        guard !driver.isAway else { return }
        CrashHandler.raise(device: device, leaving: [], guardian: guardian, holdsErrors: false)
        guardian.tell(isTaken: true)
        device.makeRaw()
    }

    private func takeMail(at now: Moment) {
        hasMail = false
        opens = now + Self.mailSpan
        driver.takeMail(at: now)
    }

    private func wait() {
        let (signals, isAway) = (driver.signals, driver.isAway)
        var poll = PollSet([
            isAway ? .input(-1) : device.hasUnsent ? .both(device.descriptor) : .input(device.descriptor),
            .input(signals.descriptor), .input(hasMail ? -1 : wake.descriptor),
        ])
        let start = driver.clock.now()
        let leaves = driver.dashboard.leavesAt(board: driver.board, after: start)
        let glance = isAway ? start + DashboardDriver.glanceSpan : nil
        poll.wait(
            until: [driver.settleAt, hasMail ? opens : nil, leaves, glance].compactMap(\.self).min(),
            clock: driver.clock)
        let now = driver.clock.now()
        if isAway, !isElsewhere { driver.goOn(at: now) }
        device.flush()
        if poll.isReadable(signals.descriptor) { driver.hear(signals.take(), at: now) }
        if poll.isReadable(device.descriptor) { _ = driver.take(device.read(), at: now) }
        driver.settleKeys(at: now)
        if poll.isReadable(wake.descriptor) {
            wake.drain()
            hasMail = true
        }
    }

    /// Writes lines. The terminal is in raw mode, so a line ends with CR and LF.
    private func say(_ lines: [String]) {
        guard !lines.isEmpty, !driver.isAway else { return }
        device.send(Array(lines.map { PlainText($0, isASCII: isASCII).description + "\r\n" }.joined().utf8))
    }
}

extension SpokenLoop: DashboardSurface {
    var isElsewhere: Bool { device.isElsewhere }

    func giveTerminal() {
        guard !driver.isAway else { return }
        device.drain(within: Self.patience)
        device.makeCooked()
        CrashHandler.lower()
        guardian.tell(isTaken: false)
    }

    func retakeTerminal(at now: Moment) {
        takeTerminal()
        say(["Winch goes on."])
    }

    func copy(_ text: String) throws(Clipboard.Refusal) {
        device.send(try Clipboard.sequence(copying: text, extras: extras))
    }

    // Lines are written at once, and have neither a size nor frames.
    func resize(at now: Moment) {}
    func redraw() {}
    func hurry() {}
    func setFrames(perSecond: Int) {}
    func setMouse(_ isOn: Bool) {}

    func didShow(_ event: ScreenEvent, at now: Moment) {
        let update: Update? = if case .updated(let update) = event { update } else { nil }
        let isKey = if case .key = event { true } else { false }
        say(speech.lines(for: driver.dashboard, board: driver.board, update: update, isKey: isKey, at: now))
    }
}

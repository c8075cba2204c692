import Glibc
import WinchModel
package import WinchScreen
import WinchSystem

/// The dashboard for speech output and screen readers: the usual keys, and sentences instead of frames. It only
/// appends lines; it never moves the cursor, clears the screen or sets colours.
package final class SpokenLoop {
    private let device: TerminalDevice
    private let watchdog: Watchdog
    private let extras: TerminalFeatures
    /// The terminal can show ASCII only.
    private let isASCII: Bool
    private let driver: DashboardDriver
    private var speech = Speech()
    private let wake: WakePort
    private var hasUpdate = true
    /// When the next update may be taken from the mailbox.
    private var nextUpdateTime: Moment?

    /// Updates are taken twice a second, which is soon enough for speech; keys are handled at once.
    private static let updateInterval = Duration.milliseconds(500)

    /// - Parameters:
    ///   - output: the terminal, normally standard output; keys are read from it too.
    ///   - dashboard: the same as for a screen; its size does not matter.
    ///   - mailbox: its updates are those of the queue.
    /// - Throws: if `output` is not a terminal or cannot be opened.
    package init(
        output: Int32 = 1, isASCII: Bool = false, dashboard: Dashboard, mailbox: LoopMailbox,
        ports: DashboardPorts
    ) throws(TerminalFailure) {
        device = try TerminalDevice(sharing: output)
        watchdog = Watchdog(device: device, exitBytes: [])
        self.isASCII = isASCII
        let traits = TerminalEnvironment.fromEnvironment()
        extras = TerminalFeatures(traits: traits, entry: try? TerminfoEntry(term: traits.term))
        wake = mailbox.wake
        driver = DashboardDriver(
            dashboard, mailbox: mailbox, decoder: KeyDecoder(),
            ports: ports)
        driver.surface = self
    }

    /// Runs until the user, a signal or the end of all transfers ends it; the terminal is restored when it returns.
    package func run() -> LoopEnd {
        driver.isInBackground = isElsewhere
        acquireTerminal()
        defer { _ = releaseTerminal(within: TerminalDevice.endTimeout) }
        while true {
            let now = driver.clock.now()
            if hasUpdate, nextUpdateTime.map({ $0 <= now }) ?? true { takeUpdate(at: now) }
            driver.show(.tick, at: now)
            if let end = driver.end { return end }
            wait()
        }
    }

    private func acquireTerminal() {
        guard !driver.isInBackground else { return }
        // Messages for the user are spoken as well; those on standard error come after the last sentence.
        CrashHandler.raise(
            device: device, exitBytes: [], watchdog: watchdog, holdsErrors: isatty(STDERR_FILENO) == 1)
        watchdog.inform(isTaken: true)
        device.makeRaw()
    }

    private func takeUpdate(at now: Moment) {
        hasUpdate = false
        nextUpdateTime = now + Self.updateInterval
        driver.takeUpdate(at: now)
    }

    private func wait() {
        let (signals, isInBackground) = (driver.signals, driver.isInBackground)
        var poll = PollSet([
            isInBackground ? .input(-1) : device.hasUnsent ? .both(device.descriptor) : .input(device.descriptor),
            .input(signals.descriptor), .input(hasUpdate ? -1 : wake.descriptor),
        ])
        let start = driver.clock.now()
        let quitTime = driver.dashboard.quitTime(board: driver.board, after: start)
        let nextForegroundCheck = isInBackground ? start + DashboardDriver.foregroundCheckInterval : nil
        poll.wait(
            until: [driver.settleAt, hasUpdate ? nextUpdateTime : nil, quitTime, nextForegroundCheck].compactMap(\.self)
                .min(),
            clock: driver.clock)
        let now = driver.clock.now()
        if isInBackground, !isElsewhere { driver.resumeAfterStop(at: now) }
        device.flush()
        if poll.isReadable(signals.descriptor) { driver.hear(signals.take(), at: now) }
        if poll.isReadable(device.descriptor) { driver.take(device.read(), at: now) }
        driver.settleKeys(at: now)
        if poll.isReadable(wake.descriptor) {
            wake.drain()
            hasUpdate = true
        }
    }

    /// Writes lines. The terminal is in raw mode, so a line ends with CR and LF.
    private func writeLines(_ lines: [String]) {
        guard !lines.isEmpty, !driver.isInBackground else { return }
        device.send(Array(lines.map { PlainText($0, isASCII: isASCII).description + "\r\n" }.joined().utf8))
    }
}

extension SpokenLoop: DashboardSurface {
    var isElsewhere: Bool { device.isElsewhere }

    func releaseTerminal(within timeout: Duration) -> Bool {
        guard !driver.isInBackground else { return true }
        device.releaseKeys()
        let isLeft = device.drain(within: timeout)
        device.makeCooked()
        if isLeft { watchdog.inform(isTaken: false) }
        CrashHandler.lower()
        return isLeft
    }

    func retakeTerminal(at now: Moment) {
        acquireTerminal()
        writeLines(["Winch goes on."])
    }

    func copy(_ text: String) throws(InvalidValue) {
        device.send(try Clipboard.sequence(copying: text, extras: extras))
    }

    // Lines are written at once, and have neither a size nor frames.
    func resize(at now: Moment) {}
    func redraw() {}
    func requestUrgentFrame() {}

    func expectAnswer(at now: Moment) {}
    func setFrames(perSecond: Int) {}
    func setMouse(_ isOn: Bool) {}

    func didShow(_ event: ScreenEvent, at now: Moment) {
        let update: Update? = if case .updated(let update) = event { update } else { nil }
        let isKey = if case .key = event { true } else { false }
        writeLines(speech.lines(for: driver.dashboard, board: driver.board, update: update, isKey: isKey, at: now))
    }
}

import Glibc
import WinchModel
package import WinchScreen
import WinchSystem

/// The dashboard's event loop on the main thread: waits for keys, signals, updates and the next frame in one place,
/// and handles one event at a time.
///
/// It never waits for the engine: commands are sent, updates arrive in the mailbox. What the events mean is decided by
/// `DashboardDriver` and `SignalActions`.
package final class TerminalLoop {
    private let session: TerminalControl
    private let driver: DashboardDriver
    private let wake: WakePort
    private var pacer: FramePacer
    private var hasUpdate = false
    private let notice: TerminalControl.Notice
    /// All transfers were settled at the last frame. True at the start, so that a list that is settled from the start
    /// causes no notification.
    private var wasSettled = true
    /// The dashboard has been shown. Until then the run is a background job like any other, which ends when all
    /// transfers are settled.
    private var wasShown = false

    /// - Parameters:
    ///   - session: the terminal, not entered yet; `dashboard` was made for its size.
    ///   - mailbox: its updates are those of the queue.
    ///   - notice: how to notify the user when all transfers are settled.
    package init(
        session: TerminalControl, dashboard: Dashboard, mailbox: LoopMailbox,
        framesPerSecond: Int = 20,
        notice: TerminalControl.Notice = .off, ports: DashboardPorts
    ) {
        self.notice = notice
        self.session = session
        wake = mailbox.wake
        driver = DashboardDriver(
            dashboard, mailbox: mailbox, decoder: KeyDecoder(sequences: session.keys, encoding: session.encoding),
            ports: ports)
        pacer = FramePacer(framesPerSecond: framesPerSecond)
        driver.surface = self
    }

    /// Runs until the user, a signal or the end of all transfers ends it; the terminal is restored when it returns.
    package func run() -> LoopEnd {
        let clock = driver.clock
        driver.isInBackground = isElsewhere
        if !driver.isInBackground { session.enter() }
        wasShown = !driver.isInBackground
        defer {
            session.asking = driver.dashboard.asking
            session.unfinished = driver.board.totals.unfinished
            session.leave()
        }
        showSize(at: clock.now())
        // The first update fills the screen.
        pacer.expectAnswer(at: clock.now())
        hasUpdate = true
        while true {
            if let end = driver.end { return end }
            let now = clock.now()
            if driver.isInBackground {
                runInBackground(at: now)
            } else {
                if pacer.isDue(at: now), !session.device.hasUnsent { frame(at: now) }
                if driver.end == nil { wait() }
            }
        }
    }

    /// One iteration of the loop that neither reads from the terminal nor writes to it.
    private func runInBackground(at now: Moment) {
        if !takeUpdate(at: now) { driver.show(.tick, at: now) }
        let totals = driver.board.totals
        if !wasShown, totals.hasTransfers, totals.allSettled { driver.finish(.left, at: now) }
        guard driver.end == nil else { return }
        var poll = PollSet([.input(driver.signals.descriptor)])
        poll.wait(until: now + DashboardDriver.foregroundCheckInterval, clock: driver.clock)
        let now = driver.clock.now()
        wake.drain()
        hasUpdate = true
        driver.hear(driver.signals.take(), at: now)
        if driver.isInBackground, driver.end == nil, !isElsewhere { driver.resumeAfterStop(at: now) }
    }

    private func wait() {
        let (keyboard, signals) = (session.device.descriptor, driver.signals)
        // The next frame is not drawn before the terminal has taken the previous one.
        let isBusy = session.device.hasUnsent
        var poll = PollSet([
            isBusy ? .both(keyboard) : .input(keyboard), .input(signals.descriptor),
            // An update that waits for its frame need not wake the loop again.
            .input(hasUpdate ? -1 : wake.descriptor),
        ])
        poll.wait(
            until: [isBusy ? nil : pacer.due, driver.settleAt].compactMap(\.self).min(), clock: driver.clock)
        let now = driver.clock.now()
        if isBusy { session.device.flush() }
        if poll.isReadable(signals.descriptor) { driver.hear(signals.take(), at: now) }
        if poll.isReadable(keyboard) { driver.take(session.device.read(), at: now) }
        if pacer.isUnwatched != driver.isUnwatched {
            pacer.isUnwatched = driver.isUnwatched
            pacer.requestFrame()
        }
        driver.settleKeys(at: now)
        if poll.isReadable(wake.descriptor) {
            wake.drain()
            hasUpdate = true
            pacer.requestUpdateFrame(at: now)
        }
    }

    private func frame(at now: Moment) {
        let isUpToDate = !pacer.drawsWithoutUpdates(at: now) && takeUpdate(at: now)
        if !isUpToDate { driver.show(.tick, at: now) }
        guard driver.end == nil else { return }
        if !driver.dashboard.hasNews, pacer.isForUpdatesOnly(at: now) {
            return pacer.frameWasSkipped(
                at: now, next: driver.dashboard.nextFrame(board: driver.board, after: now))
        }
        session.present(driver.draw(at: now))
        session.present(title: driver.dashboard.totals(of: driver.board))
        callWhenSettled()
        pacer.frameWasDrawn(
            at: now, next: driver.dashboard.nextFrame(board: driver.board, after: now), leavesUpdates: hasUpdate)
    }

    /// - Returns: whether there was an update.
    private func takeUpdate(at now: Moment) -> Bool {
        guard hasUpdate else { return false }
        hasUpdate = false
        return driver.takeUpdate(at: now)
    }

    /// Notifies the user once, when the last transfer has settled.
    private func callWhenSettled() {
        let totals = driver.dashboard.totals(of: driver.board)
        let isSettled = totals.hasTransfers && totals.allSettled
        defer { if totals.hasTransfers { wasSettled = isSettled } }
        guard isSettled, !wasSettled else { return }
        let counts = [(totals.finished, "finished"), (totals.failed, "failed"), (totals.cancelled, "cancelled")]
        session.notify(
            notice, "winch: " + counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", "))
    }

    private func showSize(at now: Moment) {
        driver.show(.resized(columns: session.size.columns, rows: session.size.rows), at: now)
    }
}

extension TerminalLoop: DashboardSurface {
    var isElsewhere: Bool { session.device.isElsewhere }

    func releaseTerminal(within timeout: Duration) -> Bool { session.leave(within: timeout) }

    func retakeTerminal(at now: Moment) {
        wasShown = true
        session.retake()
        showSize(at: now)
        driver.show(.redraw, at: now)
        pacer.requestUrgentFrame()
    }

    func resize(at now: Moment) {
        if session.measure() {
            showSize(at: now)
        } else {
            // The window was made smaller and larger again in between: the terminal has lost what was cut off.
            session.redraw()
        }
        pacer.requestFrame()
    }

    func redraw() {
        session.redraw()
        pacer.requestUrgentFrame()
    }

    func requestUrgentFrame() { pacer.requestUrgentFrame() }

    func expectAnswer(at now: Moment) { pacer.expectAnswer(at: now) }

    func copy(_ text: String) throws(InvalidValue) { try session.copy(text) }

    func setFrames(perSecond: Int) {
        let isUnwatched = pacer.isUnwatched
        pacer = FramePacer(framesPerSecond: perSecond)
        pacer.isUnwatched = isUnwatched
    }

    func setMouse(_ isOn: Bool) { session.capturesMouse = isOn }

    func didShow(_ event: ScreenEvent, at now: Moment) {}
}

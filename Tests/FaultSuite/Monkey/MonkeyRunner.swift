import Foundation
import Glibc
import TerminalEmulator

/// Runs one session: performs the plan's steps, reads the program's output, and checks it. Lives on a thread of its
/// own.
final class MonkeyRunner {
    let plan: MonkeyPlan
    let terminal: PseudoTerminal
    let process: MonkeyProcess
    let before: PseudoTerminal.Settings
    var screen: TerminalScreen
    var result: MonkeyReport
    private var random: SplitMix
    var done: [String] = []
    var sent: Set<Int32> = []
    var isHungUp = false
    /// The stopped program was continued by a signal and not by its shell: it then runs in the background, and the
    /// kernel stops it as soon as it reads a key, whatever the terminal's state.
    private var wasContinuedBySignal = false
    /// From this instant on the program must know the last size.
    private var knowsSizeAt: ContinuousClock.Instant?

    /// On a busy machine a program may take this long to react to a new size.
    private static let sizeTimeout = Duration.seconds(4)
    /// Seconds allowed for what usually takes milliseconds.
    static let timeout = 20.0

    init(_ plan: MonkeyPlan, winch: String, in scratch: Scratch) throws(SuiteFailure) {
        self.plan = plan
        random = SplitMix(state: ~plan.seed)
        result = MonkeyReport(seed: plan.seed)
        do throws(PseudoTerminal.Unavailable) {
            terminal = try PseudoTerminal(columns: plan.size.columns, rows: plan.size.rows)
        } catch {
            throw .cannotPrepare("a pseudo-terminal")
        }
        terminal.turnOffEcho()
        before = terminal.settings
        let allowedOutput: TerminalScreen.AllowedOutput =
            switch plan.outputMode {
            case .dashboard: .screen
            case .spoken: .lines(copies: true)
            case .plain: .lines(copies: false)
            }
        screen = TerminalScreen(
            plan.size, isUTF8: plan.isUTF8, allowedOutput: allowedOutput, mayCall: plan.mayCall,
            width: CharacterWidth.columns)
        process = try MonkeyProcess(winch, plan, in: scratch, on: terminal.path)
    }

    func report() -> MonkeyReport {
        defer { process.end() }
        for timedStep in plan.timedSteps {
            if isOver { break }
            checkStop()
            take(timedStep.step)
            result.steps += 1
            pump(milliseconds: timedStep.pause)
        }
        if !isOver, plan.comparesPicture { comparePicture() }
        if !isOver { finish() }
        judge()
        result.faults = screen.faults + result.faults
        result.bytesWritten = screen.bytesTaken
        result.failureLog =
            [plan.summary] + ["ended with \(result.ending.map { "\($0)" } ?? "nothing")"] + done.suffix(40)
        return result
    }

    var isOver: Bool { process.ending != nil }

    func fault(_ words: String) { result.faults.append(words) }

    // MARK: - Steps

    private func take(_ step: MonkeyStep) {
        done.append(step.description)
        switch step {
        case .press(let bytes, _): press(bytes)
        case .resize(let sizes): for size in sizes { resize(to: size) }
        case .signal(let number): signal(number)
        case .pauseReading(let milliseconds): usleep(UInt32(milliseconds) * 1000)
        }
    }

    func press(_ bytes: [UInt8]) {
        // If the terminal's line settings allow it, the kernel turns the key into SIGINT; it counts as sent in any
        // case.
        if bytes.contains(0x03) { sent.insert(SIGINT) }
        terminal.type(bytes)
    }

    private func resize(to size: WindowSize) {
        read()
        screen.resize(to: size)
        knowsSizeAt = .now + Self.sizeTimeout
        terminal.resize(columns: size.columns, rows: size.rows)
    }

    func signal(_ number: Int32) {
        sent.insert(number)
        if number == SIGCONT, process.isStopped { wasContinuedBySignal = true }
        if MonkeyEnding.sudden.contains(number) { screen.writerWasKilled() }
        process.signal(number)
    }

    // MARK: - Reading

    func read() {
        while !isHungUp {
            let bytes = terminal.read(within: 0)
            if bytes.isEmpty { break }
            screen.feed(bytes)
        }
        if let instant = knowsSizeAt, instant < .now {
            screen.knowsSize()
            knowsSizeAt = nil
        }
    }

    func pump(milliseconds: Int) {
        pump(until: .now + .milliseconds(milliseconds)) { false }
    }

    /// Reads until `holds` is true or the deadline has passed.
    @discardableResult
    func pump(until deadline: ContinuousClock.Instant, _ holds: () -> Bool) -> Bool {
        while true {
            read()
            if holds() { return true }
            let left = (deadline - .now) / .milliseconds(1)
            guard left > 0 else { return false }
            if isHungUp {
                usleep(2000)
            } else {
                _ = terminal.waitForOutput(milliseconds: min(Int(left.rounded(.up)), 20))
            }
        }
    }

    /// True once the program has written nothing for `milliseconds`; false if that has not happened within `most`.
    func waitForQuiet(_ milliseconds: Int, atMost most: Int) -> Bool {
        let deadline = ContinuousClock.now + .milliseconds(most)
        while ContinuousClock.now < deadline {
            let count = screen.bytesTaken
            pump(milliseconds: milliseconds)
            if screen.bytesTaken == count { return true }
        }
        return false
    }

    // MARK: - Stopped

    /// Checks that a stopped program has given the terminal back, then brings the program to the foreground.
    func checkStop() {
        guard plan.hasShell, process.isStopped else { return }
        // The rest of its process group stops a moment later.
        pump(milliseconds: 20)
        guard process.isStopped else { return }
        result.stops += 1
        done.append("is stopped")
        if !wasContinuedBySignal, isTerminalLeft {
            // The shell may have continued it just now; only what is still there after a while counts as a fault.
            pump(milliseconds: 50)
            if process.isStopped, !process.wasInBackground { judgeTerminal("stopped") }
        }
        pump(milliseconds: Int.random(in: 0...60, using: &random))
        if Int.random(in: 0..<6, using: &random) == 0 {
            // A signal continues it without its shell's knowledge.
            done.append("is woken aside")
            wasContinuedBySignal = true
            signal(SIGCONT)
            pump(milliseconds: 30)
        }
        for _ in 0..<Int(Self.timeout) {
            // Repeated, since the program may have been stopped again meanwhile.
            process.continueInForeground()
            if pump(until: .now + .seconds(1), { !process.isStopped }) { return }
            wasContinuedBySignal = true
            process.continueGroup()
        }
        fault("it stays stopped")
    }
}

/// How a session ends, and what must hold then.
extension MonkeyRunner {
    func finish() {
        done.append("end: \(plan.ending)")
        if !plan.ending.isSudden { checkStop() }
        switch plan.ending {
        case .keys: leaveByKeys()
        case .signal(let number):
            signal(number)
            waitForEnd(seconds: Self.timeout)
        case .interrupts:
            for _ in 0..<20 where !isOver {
                checkStop()
                signal(SIGINT)
                waitForEnd(seconds: 0.5)
            }
            waitForEnd(seconds: Self.timeout)
        case .hangUp:
            read()
            isHungUp = true
            terminal.hangUp()
            // A shell passes it on to its jobs, which this one does not; the plain output does not read the terminal.
            if plan.hasShell, case .plain = plan.outputMode { signal(SIGHUP) }
            waitForEnd(seconds: Self.timeout)
        }
    }

    @discardableResult
    func waitForEnd(seconds: Double) -> Bool {
        let deadline = ContinuousClock.now + .seconds(seconds)
        while ContinuousClock.now < deadline {
            if pump(until: min(deadline, .now + .milliseconds(100)), { isOver }) { return true }
            checkStop()
            // Shells that were stopped together with a program that has gone: nothing else continues them.
            if isHungUp || process.isGone { process.continueShells() }
        }
        return isOver
    }

    /// A prompt, a panel or an unfinished paste may be open: its end marker ends a paste, Escape closes each of the others.
    func leaveByKeys() {
        if case .plain = plan.outputMode { return leaveLines() }
        for _ in 0..<8 {
            for key in ["\u{1B}[201~", "\u{1B}", "\u{1B}", "\u{1B}", "q", "y"] {
                if isOver { return }
                press(Array(key.utf8))
                pump(until: .now + .milliseconds(70)) { isOver }
            }
            if waitForEnd(seconds: 1.2) { return }
        }
        waitForEnd(seconds: Self.timeout)
        if !isOver { fault("q and y do not end it") }
    }

    /// The plain output has no keys: SIGINT ends it.
    func leaveLines() {
        for _ in 0..<10 where !isOver {
            // A signal and not the key: the terminal's input queue may be full of typed lines that the program does not
            // read.
            signal(SIGINT)
            waitForEnd(seconds: 0.5)
        }
        waitForEnd(seconds: Self.timeout)
    }

    func judge() {
        result.ending = process.ending
        guard let ending = result.ending else {
            return fault("it does not end; \(process.others.map { "\($0.name) \($0.state)" })")
        }
        if ending >= 0 {
            if !MonkeyFileCheck.codes.contains(ending) { fault("exit code \(ending)") }
        } else if !sent.contains(-ending), !(isHungUp && -ending == SIGHUP) {
            fault("ended by signal \(MonkeySignal.name(-ending))")
        }
        terminal.forgetKeys()
        let isAlone = pump(until: .now + .seconds(Self.timeout)) { process.others.isEmpty }
        if !isAlone { fault("left running: \(process.others.map(\.name).joined(separator: ", "))") }
        pump(milliseconds: 5)
        if !isHungUp { judgeTerminal("at the end") }
    }

    var isTerminalLeft: Bool {
        read()
        return !screen.leftovers.isEmpty || terminal.settings != before
    }

    func judgeTerminal(_ when: String) {
        read()
        if !screen.leftovers.isEmpty { fault("\(when): \(screen.leftovers.joined(separator: ", "))") }
        if terminal.settings != before { fault("\(when): the line settings are others, \(terminal.settings)") }
    }
}

/// What the program has drawn must be what a full redraw shows.
extension MonkeyRunner {
    /// Compares the screen with a full redraw of it, if it does not change by itself.
    func comparePicture() {
        guard plan.outputMode == .dashboard else { return }
        // Closes prompts and panels.
        for key in ["\u{1B}", "\u{1B}", "\u{1B}"] {
            press(Array(key.utf8))
            pump(milliseconds: 60)
        }
        checkStop()
        guard !isOver, isQuiet || pausesAll, !isOver, !process.isStopped, screen.modes.isTaken else { return }
        screen.knowsSize()
        let shown = screen.grid
        let count = screen.bytesTaken
        done.append("compare the picture")
        // At SIGWINCH with an unchanged size the program draws the whole screen anew.
        process.signal(SIGWINCH)
        guard pump(until: .now + .seconds(2), { screen.bytesTaken > count }), waitForQuiet(150, atMost: 600) else {
            return
        }
        let first = screen.grid
        guard !shown.differences(from: first).isEmpty else {
            result.picturesCompared += 1
            return
        }
        // The screen may have changed by itself after all: a difference counts only if a second redraw gives the same
        // screen.
        process.signal(SIGWINCH)
        pump(milliseconds: 150)
        guard waitForQuiet(1100, atMost: 1200), screen.grid == first else { return }
        result.picturesCompared += 1
        let places = shown.differences(from: first)
        let rows = Set(places.map(\.row)).sorted().prefix(4)
        let lines = rows.map { row in
            let columns = places.filter { $0.row == row }.map(\.column)
            func text(_ grid: CellGrid) -> String { columns.map { grid[$0, row].text }.joined() }
            let place = columns[0]
            return "row \(row): \(text(shown).debugDescription) is drawn anew as \(text(first).debugDescription);"
                + " the first \(shown[place, row].pen), then \(first[place, row].pen)"
        }
        fault("\(places.count) cells were not as drawn, from \(places[0]) on\n    " + lines.joined(separator: "\n    "))
    }

    /// Waits for 4.3 s without output: longer than a notice is shown (4 s), and than a counter keeps its value.
    var isQuiet: Bool { waitForQuiet(4300, atMost: 4400) }

    var pausesAll: Bool {
        press([UInt8(ascii: "P")])
        return waitForQuiet(4300, atMost: 7000)
    }
}

import Foundation
import Glibc
import TerminalEmulator
import TestSupport
import WinchModel

/// Runs one session: performs the plan's steps, reads the program's output, and checks it. Lives on a thread of its
/// own.
final class MonkeyRunner {
    private let plan: MonkeyPlan
    private let terminal: PseudoTerminal
    private let process: MonkeyProcess
    private let before: PseudoTerminal.Settings
    private var screen: TerminalScreen
    private var result = RunReport()
    private var random: SplitMix64
    private var sent: Set<Int32> = []
    private var isHungUp = false
    /// The stopped program was continued by a signal and not by its shell: it then runs in the background, and the
    /// kernel stops it as soon as it reads a key, whatever the terminal's state.
    private var wasContinuedBySignal = false
    /// The stops that the shell had noted when it was last told to continue the program.
    private var continuedStops = 0
    /// When it is over, the program must know the last size.
    private var sizeLimit: TimeLimit?
    private var stopLimit: TimeLimit?
    /// For its end, once it was told to end.
    private var endLimit: TimeLimit?

    // What usually takes milliseconds; on a busy machine all take longer.
    /// Until the program has reacted to a new size.
    private static let sizeTimeout = Duration.seconds(4)
    /// Longer than the program tries to leave the terminal before it stops.
    private static let stopTimeout = Duration.seconds(12)
    private static let timeout = Duration.seconds(20)
    /// For keys, of which an open prompt or an unfinished paste may take the first.
    private static let keysTimeout = Duration.seconds(12)

    init(_ plan: MonkeyPlan, winch: String, in scratch: Scratch) throws(SuiteFailure) {
        self.plan = plan
        random = SplitMix64(seed: ~plan.seed)
        do throws(PseudoTerminal.Unavailable) {
            terminal = try PseudoTerminal(columns: plan.size.columns, rows: plan.size.rows)
        } catch {
            throw .cannotPrepare("a pseudo-terminal")
        }
        terminal.turnOffEcho()
        before = terminal.settings
        screen = TerminalScreen(
            plan.size, isUTF8: plan.isUTF8, allowedOutput: plan.allowedOutput, mayCall: plan.mayCall,
            width: CharacterWidth.columns)
        process = try MonkeyProcess(winch, plan, in: scratch, on: terminal.path)
    }

    func report() -> RunReport {
        defer { process.end() }
        for (step, pause) in plan.steps where !isOver {
            checkStop()
            take(step)
            count("steps")
            pump(milliseconds: pause)
        }
        if !isOver, plan.comparesPicture { comparePicture() }
        if !isOver { finish() }
        judge()
        result.faults = screen.faults + result.faults
        count("bytes read", screen.bytesTaken)
        result.log = [plan.summary] + result.log.suffix(40)
        return result
    }

    private var isOver: Bool { process.ending != nil }

    private func fault(_ words: String) { result.faults.append(words) }

    private func count(_ what: String, _ more: Int = 1) { result.counts[what, default: 0] += more }

    private func note(_ words: String) { result.log.append(words) }

    // MARK: - Steps

    private func take(_ step: MonkeyStep) {
        note(step.description)
        switch step {
        case .press(let bytes): press(bytes)
        case .resize(let sizes):
            for size in sizes {
                read()
                screen.resize(to: size)
                sizeLimit = TimeLimit(Self.sizeTimeout).orLater(stopLimit)
                terminal.resize(columns: size.columns, rows: size.rows)
            }
        case .signal(let number): signal(number)
        case .pauseReading(let milliseconds): usleep(UInt32(milliseconds) * 1000)
        }
    }

    private func press(_ bytes: [UInt8]) {
        // If the terminal's line settings allow it, the kernel turns the key into SIGINT; it counts as sent in any
        // case.
        if bytes.contains(0x03) { sent.insert(SIGINT) }
        if bytes.contains(0x1a) { noteStop() }
        terminal.type(bytes)
    }

    private func press(_ keys: [String], pause milliseconds: Int) {
        for key in keys where !isOver {
            press(Array(key.utf8))
            pump(until: .now + .milliseconds(milliseconds)) { isOver }
        }
    }

    private func signal(_ number: Int32) {
        sent.insert(number)
        if number == SIGTSTP { noteStop() }
        if number == SIGCONT, process.isStopped { wasContinuedBySignal = true }
        if MonkeyEnding.sudden.contains(number) { screen.writerWasKilled() }
        process.signal(number)
    }

    /// Before it stops, the program waits until the terminal has taken what it had drawn, and hears of no size meanwhile.
    private func noteStop() {
        stopLimit = TimeLimit(Self.stopTimeout)
        if sizeLimit != nil { sizeLimit = stopLimit }
    }

    // MARK: - Reading

    private func read() {
        while !isHungUp {
            let bytes = terminal.read(within: 0)
            if bytes.isEmpty { break }
            screen.feed(bytes)
        }
        if sizeLimit?.isOver() ?? false {
            screen.knowsSize()
            sizeLimit = nil
        }
    }

    private func pump(milliseconds: Int) {
        pump(until: .now + .milliseconds(milliseconds)) { false }
    }

    /// Reads until `holds` is true or the deadline has passed.
    @discardableResult
    private func pump(until deadline: ContinuousClock.Instant, _ holds: () -> Bool) -> Bool {
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
    private func waitForQuiet(_ milliseconds: Int, atMost most: Int) -> Bool {
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
    private func checkStop() {
        guard plan.hasShell, process.isStopped else { return }
        // The rest of its process group stops a moment later.
        pump(milliseconds: 20)
        guard process.isStopped else { return }
        count("stops")
        note("is stopped")
        if !wasContinuedBySignal, !terminalFaults.isEmpty {
            // The shell may have continued it just now; only what is still there after a while counts as a fault.
            pump(milliseconds: 50)
            // Why it was stopped is known when the shell has noted it, which takes a while on a busy machine.
            pump(until: .now + .seconds(2)) { process.notedStops.count > continuedStops || !process.isStopped }
            if process.isStopped, !process.wasInBackground { judgeTerminal("stopped") }
        }
        pump(milliseconds: random.int(0...60))
        if random.chance(17) {
            note("is woken without its shell's knowledge")
            wasContinuedBySignal = true
            signal(SIGCONT)
            pump(milliseconds: 30)
        }
        var limit = TimeLimit(Self.timeout)
        while !limit.isOver() {
            // Repeated, since the program may have been stopped again meanwhile.
            continuedStops = process.notedStops.count
            process.continueInForeground()
            if pump(until: .now + .seconds(1), { !process.isStopped }) { return }
            wasContinuedBySignal = true
            process.continueGroup()
        }
        fault("it stays stopped for \(limit.words)")
    }

    // MARK: - The end

    private func finish() {
        note("end: \(plan.ending)")
        if !plan.ending.isSudden { checkStop() }
        switch plan.ending {
        case .keys where plan.isPlain: interrupt(10)
        case .keys: leaveByKeys()
        case .signal(let number): signal(number)
        case .interrupts: interrupt(20)
        case .hangUp:
            read()
            isHungUp = true
            terminal.hangUp()
            // A shell passes it on to its jobs, which this one does not; the plain output does not read the terminal.
            if plan.hasShell, plan.isPlain { signal(SIGHUP) }
        }
        var limit = TimeLimit(Self.timeout)
        while !waitForEnd(seconds: 1), !limit.isOver() {}
        endLimit = limit
        if case .keys = plan.ending, !plan.isPlain, !isOver { fault("q and y do not end it") }
    }

    @discardableResult
    private func waitForEnd(seconds: Double) -> Bool {
        let deadline = ContinuousClock.now + .seconds(seconds)
        while ContinuousClock.now < deadline {
            if pump(until: min(deadline, .now + .milliseconds(100)), { isOver }) { return true }
            checkStop()
            // Shells that were stopped together with a program that has gone: nothing else continues them.
            if isHungUp || process.isGone { process.continueShells() }
        }
        return isOver
    }

    /// A prompt, a panel or an unfinished paste may be open: its end marker ends a paste, Escape closes each of the
    /// others.
    private func leaveByKeys() {
        var limit = TimeLimit(Self.keysTimeout)
        while !limit.isOver() {
            press(["\u{1B}[201~", "\u{1B}", "\u{1B}", "\u{1B}", "q", "y"], pause: 70)
            if waitForEnd(seconds: 1.2) { return }
        }
    }

    /// A signal and not the key: the terminal's input queue may be full of typed lines that the program does not read.
    private func interrupt(_ times: Int) {
        for _ in 0..<times where !isOver {
            checkStop()
            signal(SIGINT)
            waitForEnd(seconds: 0.5)
        }
    }

    private func judge() {
        guard let ending = process.ending else {
            return fault("it does not end in \(endLimit?.words ?? "time"): \(process.others)")
        }
        count("ended with \(ending)")
        if ending >= 0 {
            if !MonkeySession.codes.contains(ending) { fault("exit code \(ending)") }
        } else if !sent.contains(-ending), !(isHungUp && -ending == SIGHUP) {
            fault("ended by signal \(-ending)")
        }
        terminal.forgetKeys()
        var limit = TimeLimit(Self.timeout)
        var isAlone = false
        while !isAlone, !limit.isOver() { isAlone = pump(until: .now + .seconds(1)) { process.others.isEmpty } }
        if !isAlone { fault("left running after \(limit.words): \(process.others)") }
        pump(milliseconds: 5)
        if !isHungUp { judgeTerminal("at the end") }
    }

    /// What the program has not given back.
    private var terminalFaults: [String] {
        read()
        return screen.leftovers + (terminal.settings == before ? [] : ["other line settings: \(terminal.settings)"])
    }

    private func judgeTerminal(_ when: String) {
        result.faults += terminalFaults.map { "\(when): \($0)" }
    }

    // MARK: - The picture

    /// Compares the screen with a full redraw of it, if it does not change by itself.
    private func comparePicture() {
        guard plan.allowedOutput == .screen else { return }
        // Closes prompts and panels.
        press(["\u{1B}", "\u{1B}", "\u{1B}"], pause: 60)
        checkStop()
        guard !isOver, isQuiet || pausesAll, !isOver, !process.isStopped, screen.modes.isTaken else { return }
        screen.knowsSize()
        let shown = screen.grid
        let bytes = screen.bytesTaken
        note("compare the picture")
        // At SIGWINCH with an unchanged size the program draws the whole screen anew.
        process.signal(SIGWINCH)
        guard pump(until: .now + .seconds(2), { screen.bytesTaken > bytes }), waitForQuiet(150, atMost: 600) else {
            return
        }
        let first = screen.grid
        let places = shown.differences(from: first)
        if let place = places.first {
            // The screen may have changed by itself after all: a difference counts only if a second redraw gives the
            // same screen.
            process.signal(SIGWINCH)
            pump(milliseconds: 150)
            guard waitForQuiet(1100, atMost: 1200), screen.grid == first else { return }
            let lines = [shown, first].map { grid in
                "\(grid.lines[place.row].debugDescription), there \(grid[place.column, place.row].pen)"
            }
            fault(
                "\(places.count) cells are drawn otherwise anew, from \(place) on\n    "
                    + lines.joined(separator: "\n    "))
        }
        count("pictures compared")
    }

    /// Waits for 4.3 s without output: longer than a notice is shown (4 s), and than a counter keeps its value.
    private var isQuiet: Bool { waitForQuiet(4300, atMost: 4400) }

    private var pausesAll: Bool {
        press([UInt8(ascii: "P")])
        return waitForQuiet(4300, atMost: 7000)
    }
}

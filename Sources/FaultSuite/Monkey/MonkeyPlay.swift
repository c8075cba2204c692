import CTerminal
import Foundation
import Glibc

/// A session under way: does what the plan says, reads all that is written, and judges. Lives on a thread of its own.
final class MonkeyPlay {
    private let plan: MonkeyPlan
    private let terminal: PseudoTerminal
    private let process: MonkeyProcess
    private let before: PseudoTerminal.Settings
    private var screen: TerminalScreen
    private var result: MonkeyReport
    private var random: SplitMix
    private var done: [String] = []
    private var sent: Set<Int32> = []
    private var isHungUp = false
    /// Somebody else than its shell has woken it when it was stopped: it runs in the background then, and the kernel stops it
    /// as soon as it reads a key, whatever the terminal's state.
    private var wasWokenAside = false
    /// When the program must have heard of the last size.
    private var knowsSizeAt: ContinuousClock.Instant?

    /// On a machine that does much besides, a program may be slow to draw.
    private static let sizePatience = Duration.seconds(4)
    /// Seconds for what should take a moment.
    private static let patience = 20.0

    init(_ plan: MonkeyPlan, winch: String, in scratch: Scratch) throws(SuiteFailure) {
        self.plan = plan
        random = SplitMix(state: ~plan.seed)
        result = MonkeyReport(seed: plan.seed)
        terminal = try PseudoTerminal(plan.size)
        before = terminal.settings
        let manners: TerminalScreen.Manners =
            switch plan.face {
            case .dashboard: .screen
            case .spoken: .lines(copies: true)
            case .plain: .lines(copies: false)
            }
        screen = TerminalScreen(
            plan.size, isUTF8: plan.isUTF8, manners: manners, mayCall: plan.mayCall, width: CharacterWidth.columns)
        process = try MonkeyProcess(winch, plan, in: scratch, on: terminal.path)
    }

    func report() -> MonkeyReport {
        defer { process.end() }
        for beat in plan.beats {
            if isOver { break }
            heedStop()
            take(beat.step)
            result.steps += 1
            pump(milliseconds: beat.pause)
        }
        if !isOver, plan.comparesPicture { comparePicture() }
        if !isOver { finish() }
        judge()
        result.faults = screen.faults + result.faults
        result.bytesWritten = screen.bytesTaken
        result.story = [plan.summary] + ["ended with \(result.ending.map { "\($0)" } ?? "nothing")"] + done.suffix(40)
        return result
    }

    private var isOver: Bool { process.ending != nil }

    private func fault(_ words: String) { result.faults.append(words) }

    // MARK: - Steps

    private func take(_ step: MonkeyStep) {
        done.append(step.description)
        switch step {
        case .press(let bytes, _): press(bytes)
        case .resize(let sizes): for size in sizes { resize(to: size) }
        case .signal(let number): signal(number)
        case .lookAway(let milliseconds): usleep(UInt32(milliseconds) * 1000)
        }
    }

    private func press(_ bytes: [UInt8]) {
        // Where the line settings make a signal of it, it is one that was sent.
        if bytes.contains(0x03) { sent.insert(SIGINT) }
        terminal.write(bytes)
    }

    private func resize(to size: WindowSize) {
        read()
        screen.resize(to: size)
        knowsSizeAt = .now + Self.sizePatience
        terminal.resize(to: size)
    }

    private func signal(_ number: Int32) {
        sent.insert(number)
        if number == SIGCONT, process.isStopped { wasWokenAside = true }
        if MonkeyEnding.sudden.contains(number) { screen.writerDies() }
        process.signal(number)
    }

    // MARK: - Reading

    private func read() {
        while !isHungUp {
            let bytes = terminal.read()
            if bytes.isEmpty { break }
            screen.feed(bytes)
        }
        if let instant = knowsSizeAt, instant < .now {
            screen.knowsSize()
            knowsSizeAt = nil
        }
    }

    private func pump(milliseconds: Int) {
        pump(until: .now + .milliseconds(milliseconds)) { false }
    }

    /// Reads until something holds, or for so long.
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

    /// True once nothing has been written for so long.
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

    /// A program that is stopped has given the terminal back; then it is brought back itself.
    private func heedStop() {
        guard plan.hasShell, process.isStopped else { return }
        // Its group stops a moment after it.
        pump(milliseconds: 20)
        guard process.isStopped else { return }
        result.stops += 1
        done.append("is stopped")
        if !wasWokenAside, isTerminalLeft {
            // The shell may have brought it back just now; what is really left stays.
            pump(milliseconds: 50)
            if process.isStopped, !process.wasInBackground { judgeTerminal("stopped") }
        }
        pump(milliseconds: Int.random(in: 0...60, using: &random))
        if Int.random(in: 0..<6, using: &random) == 0 {
            // Somebody else wakes it, behind its shell's back.
            done.append("is woken aside")
            wasWokenAside = true
            signal(SIGCONT)
            pump(milliseconds: 30)
        }
        for _ in 0..<Int(Self.patience) {
            // Once more when it was stopped once more meanwhile.
            process.bringBack()
            if pump(until: .now + .seconds(1), { !process.isStopped }) { return }
            wasWokenAside = true
            process.wakeGroup()
        }
        fault("it stays stopped")
    }

    // MARK: - The picture

    /// Holds what is on the screen against what a redraw makes of it. Only of a screen that does not change by itself.
    private func comparePicture() {
        guard plan.face == .dashboard else { return }
        // Out of whatever is open.
        for key in ["\u{1B}", "\u{1B}", "\u{1B}"] {
            press(Array(key.utf8))
            pump(milliseconds: 60)
        }
        heedStop()
        guard !isOver, isQuiet || pausesAll, !isOver, !process.isStopped, screen.modes.isTaken else { return }
        screen.knowsSize()
        let shown = screen.grid
        let count = screen.bytesTaken
        done.append("compare the picture")
        // With the size as it is, the whole screen is drawn anew.
        process.signal(SIGWINCH)
        guard pump(until: .now + .seconds(2), { screen.bytesTaken > count }), waitForQuiet(150, atMost: 600) else {
            return
        }
        let first = screen.grid
        guard !shown.differences(from: first).isEmpty else {
            result.picturesCompared += 1
            return
        }
        // It may have changed by itself after all.
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

    /// Longer than anything is shown for a while (4 s) or counts: none of that is quiet.
    private var isQuiet: Bool { waitForQuiet(4300, atMost: 4400) }

    private var pausesAll: Bool {
        press([UInt8(ascii: "P")])
        return waitForQuiet(4300, atMost: 7000)
    }

    // MARK: - The end

    private func finish() {
        done.append("end: \(plan.ending)")
        if !plan.ending.isSudden { heedStop() }
        switch plan.ending {
        case .keys: leaveByKeys()
        case .signal(let number):
            signal(number)
            waitForEnd(seconds: Self.patience)
        case .interrupts:
            for _ in 0..<20 where !isOver {
                heedStop()
                signal(SIGINT)
                waitForEnd(seconds: 0.5)
            }
            waitForEnd(seconds: Self.patience)
        case .hangUp:
            read()
            isHungUp = true
            terminal.hangUp()
            waitForEnd(seconds: Self.patience)
        }
    }

    @discardableResult
    private func waitForEnd(seconds: Double) -> Bool {
        let deadline = ContinuousClock.now + .seconds(seconds)
        while ContinuousClock.now < deadline {
            if pump(until: min(deadline, .now + .milliseconds(100)), { isOver }) { return true }
            heedStop()
            // Nobody types `fg` for shells that were stopped with a program that is gone.
            if isHungUp || process.isGone { process.wakeShells() }
        }
        return isOver
    }

    /// A prompt, a panel or a paste without end may be open: Escape leaves each, the paste after a second.
    private func leaveByKeys() {
        if case .plain = plan.face { return leaveLines() }
        for _ in 0..<8 {
            for key in ["\u{1B}", "\u{1B}", "\u{1B}", "q", "y"] {
                if isOver { return }
                press(Array(key.utf8))
                pump(until: .now + .milliseconds(70)) { isOver }
            }
            if waitForEnd(seconds: 1.2) { return }
        }
        waitForEnd(seconds: Self.patience)
        if !isOver { fault("q and y do not end it") }
    }

    /// Lines have no keys; what ends them is Ctrl-C.
    private func leaveLines() {
        for _ in 0..<10 where !isOver {
            // Not the key: lines typed before it and read by nobody may fill the terminal.
            signal(SIGINT)
            waitForEnd(seconds: 0.5)
        }
        waitForEnd(seconds: Self.patience)
    }

    // MARK: - Verdicts

    private func judge() {
        result.ending = process.ending
        guard let ending = result.ending else {
            return fault("it does not end; \(process.others.map { "\($0.name) \($0.state)" })")
        }
        if ending >= 0 {
            if !MonkeyLeavings.codes.contains(ending) { fault("exit code \(ending)") }
        } else if !sent.contains(-ending), !(isHungUp && -ending == SIGHUP) {
            fault("ended by signal \(MonkeySignal.name(-ending))")
        }
        terminal.forgetKeys()
        let isAlone = pump(until: .now + .seconds(Self.patience)) { process.others.isEmpty }
        if !isAlone { fault("left running: \(process.others.map(\.name).joined(separator: ", "))") }
        pump(milliseconds: 5)
        if !isHungUp { judgeTerminal("at the end") }
    }

    private var isTerminalLeft: Bool {
        read()
        return !screen.leftovers.isEmpty || terminal.settings != before
    }

    private func judgeTerminal(_ when: String) {
        read()
        if !screen.leftovers.isEmpty { fault("\(when): \(screen.leftovers.joined(separator: ", "))") }
        if terminal.settings != before { fault("\(when): the line settings are others, \(terminal.settings)") }
    }
}

/// Columns as the C library has them, which is how ncurses places characters.
enum CharacterWidth {
    private static let isReady = setlocale(LC_CTYPE, "C.UTF-8") != nil

    @Sendable static func columns(_ scalar: Unicode.Scalar) -> Int {
        guard scalar.value >= 0x7F else { return 1 }
        return isReady ? max(0, Int(winch_columns(scalar.value))) : 1
    }
}

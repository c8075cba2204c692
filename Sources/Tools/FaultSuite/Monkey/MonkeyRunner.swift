import Foundation
import Glibc
import TerminalEmulator

/// Runs one session: performs the plan's steps, reads the program's output, and checks it. Lives on a thread of its own.
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
    /// The stopped program was continued by a signal and not by its shell: it then runs in the background, and the kernel
    /// stops it as soon as it reads a key, whatever the terminal's state.
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
        // If the terminal's line settings allow it, the kernel turns the key into SIGINT; it counts as sent in any case.
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

import Foundation
import Glibc

/// A session under way: does what the plan says, reads all that is written, and judges. Lives on a thread of its own.
final class MonkeyPlay {
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
    /// Somebody else than its shell has woken it when it was stopped: it runs in the background then, and the kernel stops it
    /// as soon as it reads a key, whatever the terminal's state.
    private var wasWokenAside = false
    /// When the program must have heard of the last size.
    private var knowsSizeAt: ContinuousClock.Instant?

    /// On a machine that does much besides, a program may be slow to draw.
    private static let sizePatience = Duration.seconds(4)
    /// Seconds for what should take a moment.
    static let patience = 20.0

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

    var isOver: Bool { process.ending != nil }

    func fault(_ words: String) { result.faults.append(words) }

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

    func press(_ bytes: [UInt8]) {
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

    func signal(_ number: Int32) {
        sent.insert(number)
        if number == SIGCONT, process.isStopped { wasWokenAside = true }
        if MonkeyEnding.sudden.contains(number) { screen.writerDies() }
        process.signal(number)
    }

    // MARK: - Reading

    func read() {
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

    func pump(milliseconds: Int) {
        pump(until: .now + .milliseconds(milliseconds)) { false }
    }

    /// Reads until something holds, or for so long.
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

    /// True once nothing has been written for so long.
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

    /// A program that is stopped has given the terminal back; then it is brought back itself.
    func heedStop() {
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
}

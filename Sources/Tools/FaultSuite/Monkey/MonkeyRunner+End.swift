import Glibc
import TerminalEmulator

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

    /// A prompt, a panel or an unfinished paste may be open: Escape closes each of them, the paste after a second.
    func leaveByKeys() {
        if case .plain = plan.outputMode { return leaveLines() }
        for _ in 0..<8 {
            for key in ["\u{1B}", "\u{1B}", "\u{1B}", "q", "y"] {
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

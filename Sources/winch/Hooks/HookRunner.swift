import DequeModule
import Dispatch
import Glibc
import Synchronization
import WinchModel
import WinchTerminal

/// Runs the commands of `--on-done`, `--on-fail` and `--on-settled`, in the order of the events and a few at a time.
final class HookRunner: UpdateSubscriber {
    private let onSettled: HookCommand?
    private let home: WorkingFolder
    private let limit: Duration?
    private let tell: @Sendable (String) -> Void
    private let run: @Sendable (HookProcess) -> HookProcess.End
    private let state = Mutex(State())
    /// Each has a thread of its own while it is busy; those of a concurrent queue would be as few as the machine's cores.
    private let queues = (0..<slots).map { DispatchQueue(label: "winch.hooks.\($0)") }
    private let ends = DispatchGroup()

    static let slots = 4

    /// None is ever left out, however many wait for commands that hang: so it is small, and its variables are made when it runs.
    enum Job {
        case call(HookCall)
        /// Runs alone, after all before it: when `--on-settled` runs, no `--on-done` does. Indirect, for its size.
        indirect case settled(HookCommand, QueueTotals)

        var isLast: Bool { if case .settled = self { true } else { false } }
    }

    fileprivate struct State {
        var waiting: Deque<Job> = []
        var free = Array(0..<HookRunner.slots)
        var isRunningLast = false
        var isClosed = false
    }

    /// - Parameters:
    ///   - home: where the folders of transfers begin when they are relative.
    ///   - limit: how long a command may run; `nil`: without end.
    ///   - tell: told what went wrong, one line for each command; called on any thread.
    ///   - run: replaced by tests.
    init(
        onSettled: HookCommand?, home: WorkingFolder, limit: Duration? = HookProcess.usualLimit,
        run: @escaping @Sendable (HookProcess) -> HookProcess.End = { $0.run() },
        tell: @escaping @Sendable (String) -> Void
    ) {
        (self.onSettled, self.home, self.limit) = (onSettled, home, limit)
        (self.run, self.tell) = (run, tell)
    }

    /// Starts the commands that are due. May be called on any thread; never waits.
    func post(_ update: Update) {
        var jobs = update.hookCalls.map(Job.call)
        if let onSettled, update.events.contains(where: { $0.kind == .queueFinished }) {
            jobs.append(.settled(onSettled, update.totals))
        }
        guard !jobs.isEmpty else { return }
        state.withLock { state in
            if !state.isClosed { state.waiting += jobs }
        }
        startDue()
    }

    var count: Int { state.withLock { $0.waiting.count + $0.running } }

    /// Waits until all commands have ended.
    ///
    /// - Returns: false when the time was over before.
    func wait(until deadline: DispatchTime = .distantFuture) -> Bool {
        while count > 0 {
            guard ends.wait(timeout: deadline) == .success else { return false }
        }
        return true
    }

    /// Those that wait are not run any more; those that run are left alone.
    ///
    /// - Returns: how many are not run.
    @discardableResult func close() -> Int {
        state.withLock { state in
            defer { state.waiting = [] }
            state.isClosed = true
            return state.waiting.count
        }
    }

    static func words(_ count: Int) -> String {
        count == 1
            ? "1 command of --on-done, --on-fail or --on-settled"
            : "\(NumberFormat.count(count)) commands of --on-done, --on-fail and --on-settled"
    }

    private func startDue() {
        while let (job, slot) = state.withLock({ $0.next() }) {
            ends.enter()
            queues[slot].async { [self] in
                let (name, process) = process(of: job)
                if case .failure(let words) = run(process) { tell("--\(name): \(process.arguments[0]) \(words)") }
                state.withLock { $0.end(of: slot) }
                startDue()
                ends.leave()
            }
        }
    }

    private func process(of job: Job) -> (String, HookProcess) {
        switch job {
        case .call(let call):
            let variables = HookVariables(call, home: home).lines
            return (call.name, HookProcess(arguments: call.command.arguments, variables: variables, limit: limit))
        case .settled(let command, let totals):
            let variables = HookVariables(settled: totals).lines
            return ("on-settled", HookProcess(arguments: command.arguments, variables: variables, limit: limit))
        }
    }
}

extension HookRunner.State {
    fileprivate var running: Int { HookRunner.slots - free.count }

    /// - Returns: a command that is due, and the queue to run it on.
    fileprivate mutating func next() -> (HookRunner.Job, Int)? {
        guard !isRunningLast, let first = waiting.first else { return nil }
        if first.isLast, running > 0 { return nil }
        guard let slot = free.popLast() else { return nil }
        isRunningLast = first.isLast
        return (waiting.removeFirst(), slot)
    }

    fileprivate mutating func end(of slot: Int) {
        free.append(slot)
        isRunningLast = false
    }
}

/// What a hook is told of the event: environment variables whose names begin with `WINCH_HOOK_`.
struct HookVariables {
    /// `WINCH_HOOK_FILE=/srv/disk.iso`, in the order in which the manual page lists them.
    private(set) var lines: [String] = []

    /// The beginning of all names. No setting has it.
    static let prefix = "WINCH_HOOK_"

    /// - Parameter home: where the folders of transfers begin when they are relative.
    init(_ call: HookCall, home: WorkingFolder) {
        set("EVENT", call.name.dropFirst(3))
        set("ID", call.id.number)
        set("URL", call.url)
        set("DIRECTION", call.direction == .up ? "up" : "down")
        let folder = home.absolute(call.folder)
        if call.direction == .down { set("FOLDER", folder) }
        set("FILE", call.direction == .down ? WorkingFolder(folder).absolute(call.path) : home.absolute(call.path))
        set("BYTES", call.have.bytes)
        switch call.event {
        case .done(let outcome): set("OUTCOME", outcome.word)
        case .failed(let failure):
            set("ERROR", PlainText(failure.message))
            set("CODE", failure.exitCode)
        }
    }

    init(settled totals: QueueTotals) {
        set("EVENT", "settled")
        set("DONE", totals.finished)
        set("FAILED", totals.failed)
        set("CANCELLED", totals.cancelled)
        set("BYTES", totals.bytesDone)
    }

    private mutating func set(_ name: String, _ value: some CustomStringConvertible) {
        // A C string ends at its first NUL.
        lines.append("\(Self.prefix)\(name)=\(value)".filter { $0 != "\0" })
    }
}

extension HookCall {
    var name: String { if case .done = event { "on-done" } else { "on-fail" } }
}

/// A process that runs the command of a hook: without standard input, away from the terminal, with a time limit.
struct HookProcess {
    let arguments: [String]
    /// `NAME=value`, added to the environment of this process.
    let variables: [String]
    var limit: Duration? = Self.usualLimit
    /// Between TERM and KILL when the time is over.
    var grace = Duration.seconds(3)

    enum End: Equatable {
        case success
        /// What happened, as the rest of a sentence that begins with the command.
        case failure(String)
    }

    /// 60 s: enough for a message, and short enough that a command that hangs does not keep the others waiting for long.
    static let usualLimit = Duration.seconds(60)

    /// 2 KiB: of what the command prints, the end is kept, to show its last line.
    private static let keptOutput = 2048

    /// Runs the command. Returns when its process has ended, even when others that it started still run.
    func run() -> End {
        guard let (output, writing) = ChildProgram.pipe() else { return Self.notStarted(errno) }
        defer { close(output) }
        // Of the environment all but what an outer hook was told.
        let inherited = ProcessTexts.variables.filter { !$0.hasPrefix(HookVariables.prefix) }
        // In a process group of its own it does not get the Ctrl-C of the terminal, and is ended with all that it has started.
        let (pid, code) = ChildProgram.start(
            arguments[0], arguments, environment: inherited + variables, streams: [nil, writing, writing],
            flags: Int16(POSIX_SPAWN_SETPGROUP))
        close(writing)
        guard code == 0 else { return Self.notStarted(code) }
        _ = fcntl(output, F_SETFL, O_NONBLOCK)
        return wait(for: pid, output: output)
    }

    private static func notStarted(_ code: Int32) -> End {
        .failure("cannot be started: \(String(cString: strerror(code)))")
    }

    private func wait(for pid: pid_t, output: Int32) -> End {
        let start = ContinuousClock.now
        var tail: [UInt8] = []
        var isOpen = true
        var sent: Int32?
        while true {
            // The end of the output usually is the end of the process; one that closes it, or leaves it to another, is asked for.
            var poller = pollfd(fd: isOpen ? output : -1, events: Int16(POLLIN), revents: 0)
            poll(&poller, 1, isOpen ? 100 : 10)
            isOpen = isOpen && Self.read(output, into: &tail)
            var status: Int32 = 0
            if waitpid(pid, &status, WNOHANG) == pid {
                _ = isOpen && Self.read(output, into: &tail)
                return end(status, wasEnded: sent != nil, tail)
            }
            let age = ContinuousClock.now - start
            let due = limit.flatMap { age > $0 + grace ? SIGKILL : age > $0 ? SIGTERM : nil }
            if let due, sent != due {
                kill(-pid, due)
                sent = due
            }
        }
    }

    private static func read(_ output: Int32, into tail: inout [UInt8]) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = Glibc.read(output, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count < 0 }
            tail = Array((tail + buffer[..<count]).suffix(keptOutput))
        }
    }

    private func end(_ status: Int32, wasEnded: Bool, _ tail: [UInt8]) -> End {
        let signal = status & 0x7f
        let code = (status >> 8) & 0xff
        if signal == 0, code == 0, !wasEnded { return .success }
        let last = String(decoding: tail, as: UTF8.self).split(whereSeparator: \.isNewline).last.map { ": \($0)" } ?? ""
        if let limit, wasEnded { return .failure("was ended after \(limit.components.seconds) s" + last) }
        return .failure((signal == 0 ? "ended with exit code \(code)" : "was ended by signal \(signal)") + last)
    }
}

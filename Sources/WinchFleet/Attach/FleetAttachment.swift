import FoundationEssentials
package import WinchModel
import WinchTransport

/// Follows all workers of a run for a dashboard, and passes its commands on to the run.
///
/// One task has its state; what comes from other threads comes as an `Input`.
package final class FleetAttachment: Sendable {
    enum Input: Sendable {
        case event(FleetBoard.Event)
        case message(worker: String, [UInt8])
        case link(NatsLink.Event)
        case command(Command)
        /// How many failures there are, and the sequence of the last one.
        case failures(count: UInt64, last: UInt64)
        case tick
    }

    /// What the dashboard is to be told.
    package enum Report: Sendable {
        case news(FleetBoard.News)
        /// The result of a command, or a problem, for the user.
        case notice(String)
        /// Why there is no connection, and what is done; `nil`: it is there again.
        case connection(String?)
        /// It has ended for good.
        case ended(FleetFault)
    }

    let run: FleetRun
    let input: AsyncStream<Input>.Continuation
    private let inputs: AsyncStream<Input>
    private let report: @Sendable (Report) -> Void

    /// Connects; blocks for some seconds at most.
    ///
    /// - Parameter report: called on other threads; must not block.
    package init(
        _ server: ServerChoice, run name: String, report: @escaping @Sendable (Report) -> Void
    ) throws(FleetFault) {
        let (inputs, input) = AsyncStream.makeStream(of: Input.self)
        let link = try NatsLink(server, name: "winch fleet attach") { input.yield(.link($0)) }
        run = try FleetRun(name, at: link)
        (self.inputs, self.input, self.report) = (inputs, input, report)
    }

    package var server: String { run.jetStream.link.shownServer }

    package func send(_ command: Command) { input.yield(.command(command)) }

    /// Follows the run until the task is cancelled or the connection ends for good.
    ///
    /// - Parameter opened: called when the run has been found, and the dashboard can be opened.
    /// - Throws: when there is no such run, or it cannot be read.
    package func follow(opened: @escaping @Sendable () -> Void) async throws(FleetFault) {
        try await run.find()
        let subscriptions = try subscribe()
        let ticking = Task.detached { [input] in
            while !Task.isCancelled {
                input.yield(.tick)
                try? await Task.sleep(for: .milliseconds(250))
            }
        }
        defer {
            ticking.cancel()
            subscriptions.forEach { $0.end() }
        }
        var loop = AttachmentLoop(self, report)
        await readTallies()
        opened()
        for await input in inputs {
            loop.take(input)
            if loop.isOver || Task.isCancelled { break }
        }
    }

    private func subscribe() throws(FleetFault) -> [NatsSubscription] {
        let (link, input) = (run.jetStream.link, input)
        let updates = run.updatesSubject(ofWorker: "")
        return [
            try run.workers.watch(keysBeginningWith: "") { id, message in
                if message.headers["KV-Operation"] != nil { return _ = input.yield(.event(.record(worker: id, nil))) }
                guard let record = try? JSONDecoder().decode(WorkerRecord.self, from: Data(message.body)) else {
                    return
                }
                input.yield(.event(.record(worker: id, record)))
            },
            try run.state.watch(keysBeginningWith: RunTally.prefix) { key, message in
                guard let tally = try? JSONDecoder().decode(RunTally.self, from: Data(message.body)) else { return }
                input.yield(.event(.tally(worker: String(key.dropFirst(RunTally.prefix.count)), tally)))
            },
            try run.state.watch(RunControl.key) { [self] in askForControl() },
            try link.subscribe(updates + "*") { message in
                input.yield(.message(worker: String(message.subject.dropFirst(updates.count)), message.body))
            },
        ]
    }

    /// Those of workers that have gone.
    private func readTallies() async {
        let keys = (try? await run.state.keys(beginningWith: RunTally.prefix)) ?? []
        for key in keys {
            guard let tally = try? await run.state.get(key, as: RunTally.self)?.value else { continue }
            input.yield(.event(.tally(worker: String(key.dropFirst(RunTally.prefix.count)), tally)))
        }
    }

    // MARK: - Questions to the server; the answers are inputs

    func askForControl() {
        Task { [self] in
            guard let control = try? await run.control() else { return }
            input.yield(.event(.control(control)))
        }
    }

    func askForCounts() {
        Task { [self] in
            // At the same time, so that few entries move from one to the other in between.
            async let left = state(of: run.queue)
            async let failures = state(of: run.failed)
            async let results = state(of: run.done)
            guard let queue = await left, let failed = await failures, let done = await results else { return }
            input.yield(.event(.counts(done: done.messages, failed: failed.messages, left: queue.messages)))
            input.yield(.failures(count: failed.messages, last: failed.last))
        }
    }

    private func state(of stream: String) async -> StreamInfo.State? {
        try? await run.jetStream.info(ofStream: stream)?.state
    }

    /// - Parameter isWhole: all that there are; else only those from `first` on.
    func askForFailures(from first: UInt64, isWhole: Bool) {
        Task { [self] in
            var found: [FleetRun.Failure] = []
            try? await run.readFailures(from: first) { found += $0 }
            input.yield(.event(.failures(found, isWhole: isWhole)))
        }
    }

    /// Does what a command wants, and says how it went.
    ///
    /// - Parameter act: returns words for the user; `nil`: the dashboard shows the effect.
    func perform(_ act: @escaping @Sendable (FleetRun) async throws(FleetFault) -> String?) {
        Task { [self] in
            do throws(FleetFault) {
                if let words = try await act(run) { report(.notice(words)) }
            } catch {
                report(.notice("Not done: \(error.message)"))
            }
            askForControl()
            askForCounts()
        }
    }
}

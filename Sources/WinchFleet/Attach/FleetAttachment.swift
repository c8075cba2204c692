import FoundationEssentials
package import WinchModel
import WinchSession
import WinchSystem
import WinchTransport

/// The rows of all workers of a run as one queue: follows the workers, and passes a dashboard's commands on to the run.
///
/// One task has its state; what comes from other threads comes as an `Input`.
package final class FleetAttachment: QueueAccess {
    enum Input: Sendable {
        case event(FleetBoard.Event)
        case message(worker: String, [UInt8])
        case link(NatsLink.Event)
        case command(Command)
        /// How many failures there are, and the sequence of the last one.
        case failures(count: UInt64, last: UInt64)
        case tick
    }

    /// What the dashboard is to be told besides the updates of the feed.
    package enum Report: Sendable {
        case news(FleetBoard.News)
        /// The result of a command, or a problem, for the user.
        case notice(String)
        /// Why there is no connection, and what is done; `nil`: it is there again.
        case connection(String?)
    }

    /// The caller of `follow` ends it.
    package let feed = UpdateFeed()
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

    /// The reply to entries.
    package static let refusal = "winch fleet submit adds files to the run"

    package func send(_ command: Command) { input.yield(.command(command)) }

    package func add(_ specs: [TransferSpec], reply: @escaping @Sendable (AdditionReply) -> Void) {
        reply(.refused(Self.refusal))
    }

    /// Follows the run until the task is cancelled.
    ///
    /// - Parameter opened: called when the run has been found, and the dashboard can be opened.
    /// - Throws: when there is no such run, it cannot be read, or the connection ends for good.
    package func follow(opened: @escaping @Sendable () -> Void) async throws(FleetFault) {
        try await run.find()
        let subscriptions = try subscribe()
        let ticking = Task.ticking { [input] in input.yield(.tick) }
        defer {
            ticking.cancel()
            subscriptions.forEach { $0.end() }
        }
        var loop = AttachmentLoop(self, report)
        await readTallies()
        opened()
        for await input in inputs {
            loop.take(input)
            if let fault = loop.fault { throw fault }
            if Task.isCancelled { break }
        }
    }

    private func subscribe() throws(FleetFault) -> [NatsSubscription] {
        let (link, input) = (run.jetStream.link, input)
        let updates = run.updatesSubject(ofWorker: "")
        return [
            try run.workers.watch(">") { id, message in
                if message.headers["KV-Operation"] != nil { return _ = input.yield(.event(.record(worker: id, nil))) }
                guard let record: WorkerRecord = KeyValueBucket.decode(message.body) else { return }
                input.yield(.event(.record(worker: id, record)))
            },
            try run.state.watch(RunTally.prefix + ">") { key, message in
                guard let tally: RunTally = KeyValueBucket.decode(message.body) else { return }
                input.yield(.event(.tally(worker: String(key.dropFirst(RunTally.prefix.count)), tally)))
            },
            try run.state.watch(RunControl.key) { [self] _, _ in askForControl() },
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

/// The state of an attachment, and what it does for each input. Used by one task.
struct AttachmentLoop {
    private let attachment: FleetAttachment
    private let report: @Sendable (FleetAttachment.Report) -> Void
    private var board = FleetBoard()
    private var feeds: [String: WorkerFeed] = [:]
    private var ticks = 0
    /// Of the failures: how many there were, and up to where they have been read.
    private var failures: (count: UInt64, last: UInt64)?
    /// Why it has ended for good.
    private(set) var fault: FleetFault?

    /// After a retry the latest failures are read again from so far before the end.
    private static let failuresRead: UInt64 = 2000

    init(_ attachment: FleetAttachment, _ report: @escaping @Sendable (FleetAttachment.Report) -> Void) {
        (self.attachment, self.report) = (attachment, report)
    }

    private var link: NatsLink { attachment.run.jetStream.link }

    mutating func take(_ input: FleetAttachment.Input) {
        let now = SystemClock.moment()
        switch input {
        case .event(let event):
            if case .record(let worker, nil) = event { feeds[worker] = nil }
            board.apply(event, at: now)
        case .message(let worker, let body):
            switch feeds[worker, default: WorkerFeed()].take(body, at: now) {
            case .update(let update, let entries):
                board.apply(.update(worker: worker, update, entries: entries), at: now)
            case .unknown: board.apply(.unknown(worker: worker), at: now)
            }
        case .link(let event): take(event, at: now)
        case .command(let command): obey(command)
        case .failures(let count, let last): readFailures(count: count, last: last)
        case .tick: tick(at: now)
        }
    }

    private mutating func take(_ event: NatsLink.Event, at now: Moment) {
        switch event {
        case .lost:
            board.apply(.connection(isThere: false), at: now)
            report(.connection("Connection to \(link.shownServer) lost; winch connects again by itself"))
        case .back:
            board.apply(.connection(isThere: true), at: now)
            report(.connection(nil))
            ticks = 0
        case .fault(let words): report(.notice("The server says: \(words)"))
        case .closed(let reason): fault = .closed(reason: reason)
        }
    }

    private mutating func tick(at now: Moment) {
        // Workers publish as long as they are asked.
        if ticks % 20 == 0 {
            follow(nil, FollowRequest())
            attachment.askForControl()
        }
        if ticks % 4 == 0 { attachment.askForCounts() }
        ticks += 1
        let news = board.takeNews(at: now)
        for worker in news.wanted {
            var request = FollowRequest()
            request.isWhole = true
            follow(worker, request)
        }
        attachment.feed.post(news.update)
        report(.news(news))
    }

    private func follow(_ worker: String?, _ request: FollowRequest) {
        link.publish(attachment.run.followSubject(ofWorker: worker), KeyValueBucket.encode(request))
    }

    private mutating func readFailures(count: UInt64, last: UInt64) {
        defer { failures = (count, last) }
        // Some have gone: those that stay are read again.
        let isWhole = failures.map { count < $0.count &+ (last - min(last, $0.last)) } ?? (count > 0)
        if isWhole {
            attachment.askForFailures(from: last - min(last, Self.failuresRead) + 1, isWhole: true)
        } else if let known = failures, last > known.last {
            attachment.askForFailures(from: known.last + 1, isWhole: false)
        }
    }

    private mutating func obey(_ command: Command) {
        switch command {
        case .pauseAll: change { $0.isPaused = true }
        case .resumeAll: change { $0.isPaused = false }
        case .setRateLimit(let limit): change { $0.limit = limit?.perSecond }
        case .retryFailed:
            attachment.perform { (run) throws(FleetFault) in
                let count = try await run.retry()
                return "\(NumberFormat.count(count.again)) in the queue again" + count.rest
            }
        case .retry(let ids): retry(ids)
        case .cancel(let ids):
            let entries = board.entries(of: ids)
            attachment.perform { (run) throws(FleetFault) in
                try await run.cancel(entries)
                return nil
            }
        case .watch(let id, _): watch(id)
        case .quit, .resumed: break
        default: report(.notice("Not done: a fleet does not do this from its dashboard"))
        }
    }

    private func change(_ change: @escaping @Sendable (inout RunControl) -> Void) {
        attachment.perform { (run) throws(FleetFault) in
            try await run.change(change)
            return nil
        }
    }

    private func retry(_ ids: [TransferID]) {
        let numbers = board.failed(of: ids).map { "\($0)" }
        guard !numbers.isEmpty else {
            return report(.notice("Not done: the machine repeats it by itself"))
        }
        attachment.perform { (run) throws(FleetFault) in
            let count = try await run.retry(numbers)
            return count.unusable > 0 ? "Not done" + count.rest : nil
        }
    }

    private func watch(_ id: TransferID?) {
        guard let new = id.flatMap({ board.place(of: $0) }) else { return }
        var request = FollowRequest()
        request.watched = new.row
        follow(new.worker, request)
    }
}

/// The messages of one worker, as updates with the clock of this process.
///
/// The clocks of machines have nothing to do with each other. The difference is that between the instant in a message and the one
/// of its arrival; the least difference is that of the message that was under way for the shortest time.
struct WorkerFeed {
    private var assembler = UpdateAssembler(secondShift: 0)
    private var decoder = JSONDecoder()
    private var shift: Int64?

    /// A difference that grows by more is no delay: the machine was suspended.
    private static let longestDelay: Int64 = 30_000_000_000

    enum Outcome {
        case update(Update, entries: [TransferID: UInt64])
        /// It contradicts what was before, or is none: the whole queue is needed.
        case unknown
    }

    mutating func take(_ body: [UInt8], at now: Moment) -> Outcome {
        let data = Data(body)
        guard let time = try? JSONDecoder().decode(WorkerUpdate.Time.self, untrusted: data) else { return .unknown }
        let new = now.nanoseconds &- time.update.at.nanoseconds
        // The instant may be any number: the difference of two shifts could overflow.
        let isDelay = shift.map { $0 < new && new &- Self.longestDelay < $0 } ?? false
        if !isDelay {
            shift = new
            if let key = CodingUserInfoKey.clockShift { decoder.userInfo[key] = new }
        }
        guard let message = try? decoder.decode(WorkerUpdate.self, untrusted: data),
            let update = try? assembler.update(message.update)
        else {
            assembler = UpdateAssembler(secondShift: 0)
            return .unknown
        }
        let entries = (message.entries ?? [:]).map { (TransferID($0.key), $0.value) }
        return .update(update, entries: Dictionary(entries) { $1 })
    }
}

import WinchKit
import WinchModel
import WinchQueue
import WinchTransport

/// The engine of a worker, and what the worker hears of it.
struct WorkerEngine: Sendable {
    private let host: EngineHost
    private let ear: Ear
    private let running: Task<Void, Never>

    /// What an update of the engine means to a worker.
    struct News: Sendable {
        var endings: [(TransferID, WorkerMachine.Ending)] = []
        var totals: QueueTotals
        /// What the queue has and wants at the hosts.
        var uses: [HostUse]
    }

    private final class Ear: UpdateSubscriber {
        let hear: @Sendable (News) -> Void
        init(_ hear: @escaping @Sendable (News) -> Void) { self.hear = hear }

        func post(_ update: Update) {
            var news = News(totals: update.totals, uses: update.hostUse ?? [])
            for event in update.events {
                guard let id = event.id, let ending = Self.ending(event) else { continue }
                news.endings.append((id, ending))
            }
            hear(news)
        }

        private static func ending(_ event: FeedEvent) -> WorkerMachine.Ending? {
            switch event.kind {
            case .finished(let outcome):
                let bytes = (event.size ?? event.have).bytes
                return .finished(path: outcome.path, bytes: bytes, wasComplete: outcome.isNothingNew)
            case .failed(let failure): return .failed(failure)
            case .cancelled: return .cancelled
            default: return nil
            }
        }
    }

    /// - Parameter hear: called on the engine's thread; must not block.
    init(_ settings: QueueSettings, hear: @escaping @Sendable (News) -> Void) throws(FleetFault) {
        do throws(TransferFailure) {
            host = try EngineHost(settings: settings, now: { SystemClock.moment() })
        } catch {
            throw .badValue("the engine cannot start: \(error.message)")
        }
        ear = Ear(hear)
        host.feed.subscribe(ear)
        let host = host
        running = Task.detached { _ = await host.run() }
    }

    func add(_ specs: [TransferSpec]) { host.inbox.add(specs.map { Addition(spec: $0) }) }
    func send(_ command: Command) { host.inbox.send(command) }

    /// Passes the whole queue to a subscriber, and then its changes.
    func follow(_ follower: any UpdateSubscriber) { host.feed.subscribe(follower, knowing: nil) }
    func unfollow(_ follower: any UpdateSubscriber) { host.feed.unsubscribe(follower) }
    var latestLog: [LogEntry] { host.feed.latestLog }

    /// Closes all connections and keeps the part files.
    func end() async {
        host.inbox.send(.quit)
        await running.value
    }
}

extension TransferPhase.Outcome {
    fileprivate var path: String {
        switch self {
        case .saved(let path), .skipped(let path), .alreadyComplete(let path), .sent(let path), .listed(let path, _):
            path
        }
    }

    /// The file was there.
    fileprivate var isNothingNew: Bool {
        switch self {
        case .skipped, .alreadyComplete: true
        case .saved, .sent, .listed: false
        }
    }
}

import Synchronization
package import WinchBatch
package import WinchModel
package import WinchQueue
import WinchTransport

/// Creates and connects the engine, the transport and what transports share of the disk, and runs them. Used by the command,
/// the library and the workers of a fleet.
package final class EngineHost: Sendable {
    package let queue: LocalQueue
    private let engine: Engine
    private let files: FileServices
    private let transport: TransportThreads
    private let result = Mutex<RunSummary?>(nil)

    /// - Parameters:
    ///   - listedChecksums: the checksum lists (`--sums`), for files whose names are known only after the server has named
    ///     them; other files have theirs in `TransferSpec.listedChecksum`.
    ///   - ledgerSession: the ledger that stores the queue across runs; `nil`: the queue is not stored.
    ///   - door: what listings and Metalinks name passes it.
    ///   - queue: what was sent to it before is applied first.
    /// - Throws: `.other` when libcurl or the system cannot provide what the transport needs, such as a thread.
    package init(
        settings: QueueSettings, listedChecksums: ChecksumLists = ChecksumLists(), ledgerSession: RunLedger? = nil,
        door: (any EntryDoor)? = nil, queue: LocalQueue = LocalQueue()
    ) throws(TransferFailure) {
        files = try FileServices()
        transport = try TransportThreads(
            files: files, listedChecksums: listedChecksums, report: { [inbox = queue.inbox] in inbox.report($0) })
        engine = Engine(
            settings: settings, inbox: queue.inbox, transport: transport, ledgerSession: ledgerSession,
            door: door, now: SystemClock.moment, slept: SystemClock.slept, date: SystemClock.date, feed: queue.feed)
        self.queue = queue
    }

    /// Runs in the background until `Command.quit` is sent; then closes every connection and keeps the part files.
    ///
    /// - Parameter finish: called after the last update and before the end of the feed.
    /// - Returns: ends after the feed.
    @discardableResult
    package func start(finish: @escaping @Sendable () async -> Void = {}) -> Task<Void, Never> {
        Task.detached { [self] in
            let summary = await engine.run()
            await finish()
            result.withLock { $0 = summary }
            queue.feed.end()
        }
    }

    /// The state of each transfer at the end; `nil` until the feed has ended.
    package var summary: RunSummary? { result.withLock { $0 } }

    /// Ends the threads that use libraries whose data `exit` frees. Call it when the feed has ended, or instead of waiting for
    /// that.
    ///
    /// - Returns: false when one is still at work after `span`: then the process must end by `_exit`.
    package func end(within span: Duration) -> Bool {
        let deadline = SystemClock.moment() + span
        let hasLoopEnded = transport.end(within: span)
        return files.end(within: max(.zero, deadline - SystemClock.moment())) && hasLoopEnded
    }
}

package import WinchBatch
package import WinchModel
package import WinchQueue
import WinchTransport

/// Creates and connects the engine, the transport and what transports share of the disk. Used by the command and by
/// the library.
package struct EngineHost: Sendable {
    package let queue: LocalQueue
    private let engine: Engine
    private let files: FileServices
    private let transport: TransportThreads

    /// - Parameters:
    ///   - listedChecksums: the checksum list (`--sums`), for files whose names are known only after the server has named
    ///     them; other files have theirs in `TransferSpec.listedChecksum`.
    ///   - ledgerSession: the ledger that stores the queue across runs; `nil`: the queue is not stored.
    ///   - queue: what was sent to it before is applied first.
    ///   - now: reads the monotonic clock.
    /// - Throws: `.other` when libcurl or the system cannot provide what the transport needs, such as a thread.
    package init(
        settings: QueueSettings, listedChecksums: ChecksumList = ChecksumList(), ledgerSession: RunLedger? = nil,
        queue: LocalQueue = LocalQueue(), now: @escaping @Sendable () -> Moment
    ) throws(TransferFailure) {
        files = try FileServices()
        transport = try TransportThreads(
            files: files, listedChecksums: listedChecksums, report: { [inbox = queue.inbox] in inbox.report($0) })
        engine = Engine(
            settings: settings, inbox: queue.inbox, transport: transport, ledgerSession: ledgerSession, now: now,
            slept: SystemClock.slept,
            date: SystemClock.date, feed: queue.feed)
        self.queue = queue
    }

    /// Runs until `Command.quit` is sent; then closes every connection and keeps the part files.
    package func run() async -> RunSummary { await engine.run() }

    /// The present state of the queue, also after its end.
    package func snapshot() async -> QueueSnapshot { await engine.snapshot() }

    /// Ends the threads that use libraries whose data `exit` frees. Call it after `run`, or instead of waiting for `run`.
    ///
    /// - Returns: false when one is still at work after `span`: then the process must end by `_exit`.
    package func end(within span: Duration) -> Bool {
        let deadline = SystemClock.moment() + span
        let hasLoopEnded = transport.end(within: span)
        return files.end(within: max(.zero, deadline - SystemClock.moment())) && hasLoopEnded
    }
}

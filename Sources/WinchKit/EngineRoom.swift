package import WinchCore
package import WinchEngine
import WinchTransport

/// Creates and connects engine, inbox and transport. Used by the command and by the library.
package struct EngineRoom: Sendable {
    /// Receives commands and additions, on any thread.
    package let inbox: Inbox
    private let engine: Engine
    private let transport: CurlTransport

    /// - Parameters:
    ///   - listedChecksums: the checksum list (`--sums`), for files whose names are known only after the server has named
    ///     them; other files have theirs in `TransferSpec.listedChecksum`.
    ///   - books: the ledger that stores the queue across runs; `nil`: the queue is not stored.
    ///   - now: reads the monotonic clock.
    ///   - post: receives every change; called on any thread, must not block.
    /// - Throws: `.other` when libcurl or the system cannot provide what the transport needs, such as a thread.
    package init(
        settings: QueueSettings, listedChecksums: ChecksumList = ChecksumList(), books: Bookkeeping? = nil,
        now: @escaping @Sendable () -> Moment, post: @escaping @Sendable (Update) -> Void
    ) throws(TransferFailure) {
        let inbox = Inbox()
        transport = try CurlTransport(listedChecksums: listedChecksums, report: { inbox.report($0) })
        engine = Engine(
            settings: settings, inbox: inbox, transport: transport, books: books, now: now, slept: SystemClock.slept,
            post: post)
        self.inbox = inbox
    }

    /// Runs until `Command.quit` is sent; then closes every connection and keeps the part files.
    package func run() async -> RunSummary { await engine.run() }

    /// Ends the threads that use libraries whose data `exit` frees. Call it after `run`, or instead of waiting for `run`.
    ///
    /// - Returns: false when a thread still runs after `span`; then the process must end by `_exit`.
    package func end(within span: Duration) -> Bool { transport.end(within: span) }
}

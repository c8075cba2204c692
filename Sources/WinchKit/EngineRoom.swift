package import WinchCore
package import WinchEngine
import WinchTransport

/// Engine, inbox and transport, joined. The command and the library both begin here.
package struct EngineRoom: Sendable {
    /// Takes commands and additions, from any thread.
    package let inbox: Inbox
    private let engine: Engine
    private let transport: CurlTransport

    /// - Parameters:
    ///   - books: where the queue is kept across runs; `nil`: nowhere.
    ///   - listedChecksums: for files that servers give their names; the others' are in their settings.
    ///   - now: the monotonic clock.
    ///   - post: takes every change; any thread, must not block.
    /// - Throws: `.other` when libcurl or the system gives no means to begin.
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

    /// Works until somebody sends `.quit`; then closes every connection in order, parts kept.
    package func run() async -> RunSummary { await engine.run() }

    /// Ends the threads that `exit` would pull the libraries away from; after `run`, or when it is not waited for.
    ///
    /// - Returns: false when one is still at work after `span`: then the process must end by `_exit`.
    package func end(within span: Duration) -> Bool { transport.end(within: span) }
}

package import WinchModel

/// The queue that a session shows, and what else it does for its clients. Called on the server's thread; no closure may block for long.
package struct SessionActions: Sendable {
    package struct Batch: Sendable {
        package var specs: [TransferSpec]
        /// Lines that were left out, and why.
        package var problems: [String]

        package init(_ specs: [TransferSpec], problems: [String]) { (self.specs, self.problems) = (specs, problems) }
    }

    package let queue: any QueueAccess
    /// Parses lines of a batch. The second is the folder that relative paths are below.
    package var parseBatch: @Sendable (String, String) -> Batch
    /// Tries transfers again. The reply may come on any thread, with the reasons why uploads were not started.
    package var retry: @Sendable ([TransferID], @escaping @Sendable (_ refused: [String]) -> Void) -> Void
    /// Takes over what other runs have left. The reply may come on any thread: how many transfers go on, and why others do not.
    package var takeOver: @Sendable (@escaping @Sendable (_ count: Int, _ refused: [String]) -> Void) -> Void
    package var now: @Sendable () -> Moment
    /// The calendar time at which that clock read zero. Asked for each client, because the time of day may be set, and the clock
    /// stands still while the machine sleeps; `nil`: it is as the greeting says.
    package var origin: (@Sendable () -> UnixTime)?

    /// Why the queue cannot be saved at the moment; `nil`: it is.
    package var unsaved: @Sendable () -> String? = { nil }

    package init(
        _ queue: any QueueAccess, parseBatch: @escaping @Sendable (String, String) -> Batch,
        retry: @escaping @Sendable ([TransferID], @escaping @Sendable (_ refused: [String]) -> Void) -> Void,
        takeOver: @escaping @Sendable (@escaping @Sendable (_ count: Int, _ refused: [String]) -> Void) -> Void,
        now: @escaping @Sendable () -> Moment,
        origin: (@Sendable () -> UnixTime)? = nil
    ) {
        (self.queue, self.parseBatch, self.retry, self.takeOver) = (queue, parseBatch, retry, takeOver)
        (self.now, self.origin) = (now, origin)
    }
}

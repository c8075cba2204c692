package import WinchModel

/// What a session does for its clients. Called on the server's thread; no closure may block for long.
package struct SessionActions: Sendable {
    /// The lines of a batch, parsed.
    package struct Batch: Sendable {
        package var specs: [TransferSpec]
        /// Lines that were left out, and why.
        package var problems: [String]

        package init(_ specs: [TransferSpec], problems: [String]) {
            (self.specs, self.problems) = (specs, problems)
        }
    }

    /// Sends a command to the engine.
    package var send: @Sendable (Command) -> Void
    /// Adds entries, and calls the closure, on any thread, with the number of those that were not in the list.
    package var add: @Sendable ([TransferSpec], @escaping @Sendable (Int) -> Void) -> Void
    /// Parses lines of a batch. The second is the folder that relative paths are below.
    package var parseBatch: @Sendable (String, String) -> Batch
    /// Calls the closure, on any thread, when what was added before survives the end of the process.
    package var callWhenStored: @Sendable (@escaping @Sendable () -> Void) -> Void
    /// Takes over what other runs have left, and returns how many transfers that are.
    package var takeOver: @Sendable () -> Int
    /// Ends the session, by a client's wish.
    package var stop: @Sendable () -> Void
    /// Reads the monotonic clock.
    package var now: @Sendable () -> Moment
    /// The calendar time at which that clock read zero. Asked for each client, because the time of day may be set, and the clock
    /// stands still while the machine sleeps; `nil`: it is as the greeting says.
    package var origin: (@Sendable () -> UnixTime)?

    package init(
        send: @escaping @Sendable (Command) -> Void,
        add: @escaping @Sendable ([TransferSpec], @escaping @Sendable (Int) -> Void) -> Void,
        parseBatch: @escaping @Sendable (String, String) -> Batch,
        callWhenStored: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void,
        takeOver: @escaping @Sendable () -> Int, stop: @escaping @Sendable () -> Void,
        now: @escaping @Sendable () -> Moment, origin: (@Sendable () -> UnixTime)? = nil
    ) {
        (self.send, self.add, self.parseBatch, self.callWhenStored) = (send, add, parseBatch, callWhenStored)
        (self.takeOver, self.stop, self.now, self.origin) = (takeOver, stop, now, origin)
    }
}

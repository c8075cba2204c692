package import WinchModel

/// What a session does for its clients. Called on the server's thread; no closure may block for long.
package struct SessionActions: Sendable {
    /// What became of entries that a client has added.
    package struct Added: Sendable {
        /// For people, e.g. `2 added`.
        package var words: String
        package var problems: [String]

        package init(words: String, problems: [String]) {
            (self.words, self.problems) = (words, problems)
        }
    }

    /// Sends a command to the engine.
    package var send: @Sendable (Command) -> Void
    /// Adds entries.
    package var add: @Sendable ([TransferSpec]) -> Void
    /// Parses lines of a batch and adds their entries. The second is the folder that relative paths are below.
    package var addBatch: @Sendable (String, String) -> Added
    /// Calls the closure, on any thread, when what was added before survives the end of the process.
    package var callWhenStored: @Sendable (@escaping @Sendable () -> Void) -> Void
    /// Takes over what other runs have left, and returns how many transfers that are.
    package var takeOver: @Sendable () -> Int
    /// Ends the session, by a client's wish.
    package var stop: @Sendable () -> Void
    /// Reads the monotonic clock.
    package var now: @Sendable () -> Moment

    package init(
        send: @escaping @Sendable (Command) -> Void, add: @escaping @Sendable ([TransferSpec]) -> Void,
        addBatch: @escaping @Sendable (String, String) -> Added,
        callWhenStored: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void,
        takeOver: @escaping @Sendable () -> Int, stop: @escaping @Sendable () -> Void,
        now: @escaping @Sendable () -> Moment
    ) {
        (self.send, self.add, self.addBatch, self.callWhenStored) = (send, add, addBatch, callWhenStored)
        (self.takeOver, self.stop, self.now) = (takeOver, stop, now)
    }
}

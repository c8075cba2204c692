package import WinchModel

/// A queue of this process: the inbox of its engine, and the feed.
package struct LocalQueue: QueueAccess {
    package let inbox: Inbox
    /// Subscribers that are added before the engine runs need no snapshot.
    package let feed: UpdateFeed

    package init(inbox: Inbox = Inbox(), feed: UpdateFeed = UpdateFeed()) { (self.inbox, self.feed) = (inbox, feed) }

    package func send(_ command: Command) { inbox.send(command) }

    package func add(_ specs: [TransferSpec], reply: @escaping @Sendable (AdditionReply) -> Void) {
        add(specs.map { Addition(spec: $0) }, reply: reply)
    }

    /// As for entries, with what earlier runs have of them.
    package func add(_ additions: [Addition], reply: @escaping @Sendable (AdditionReply) -> Void) {
        // What is acknowledged must not be lost, even if this process is killed in the next moment.
        inbox.add(additions) { [inbox] outcome in inbox.callWhenStored { reply(outcome) } }
    }
}

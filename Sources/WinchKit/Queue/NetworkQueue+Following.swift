extension NetworkQueue {
    /// The progress of the whole queue, from now until everything is settled or the queue is closed.
    ///
    /// Each loop over it follows on its own. One that is slow misses what lies between, never the last state, after
    /// which the sequence ends. Of an empty queue it gives one value and ends, so add first, then follow; to follow a
    /// queue over several runs, loop again.
    public var progress: ProgressSequence<Progress> {
        ProgressSequence(queue: self) { hub in hub.follow() }
    }

    /// How the queue stands now, as far as the engine has told.
    public var latest: Progress { hub.latest }

    /// What happens from now until the queue is closed, to every transfer, in order.
    public var events: EventSequence { EventSequence(queue: self) }

    /// Waits until everything is settled or the queue is closed; an empty queue is.
    ///
    /// - Returns: how each transfer ended, or how it stood when the waiting task was cancelled.
    public func finished() async -> Summary {
        for await _ in progress {}
        return Summary(results: hub.results)
    }
}

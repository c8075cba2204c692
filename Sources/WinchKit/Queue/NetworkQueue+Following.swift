extension NetworkQueue {
    /// The progress of the whole queue, from now until all transfers are settled or the queue is closed.
    ///
    /// Each loop follows independently. A slow loop misses intermediate states but never the last one, after which the
    /// sequence ends. For an empty queue the sequence has one value, so add transfers first. To follow further runs of
    /// the queue, start another loop.
    public var progress: ProgressSequence<Progress> {
        ProgressSequence(queue: self) { hub in hub.follow() }
    }

    /// The state of the queue in the latest update of the engine.
    public var latest: Progress { hub.latest }

    /// The events of all transfers, in order, from now until the queue is closed.
    public var events: EventSequence { EventSequence(queue: self) }

    /// Waits until all transfers are settled or the queue is closed; returns at once for an empty queue.
    ///
    /// - Returns: the result of each transfer; `unfinished` for those that are not settled because the queue was closed or the
    ///   waiting task was cancelled.
    public func finished() async -> Summary {
        for await _ in progress {}
        return Summary(results: hub.results)
    }
}

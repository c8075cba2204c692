package import WinchModel

extension Update {
    /// The first rows of a list as they look before the queue has it. The queue gives them the same ids. It leaves the
    /// subscriber in state 0, so that the queue's first update applies to it.
    ///
    /// - Parameters:
    ///   - additions: the first of the run.
    ///   - isReading: more follow.
    package static func preview(
        of additions: [Addition], settings: QueueSettings, isReading: Bool, at now: Moment
    ) -> Update? {
        var queue = TransferQueue(settings: settings)
        queue.add(additions, at: now)
        queue.state.read(isReading)
        var update = queue.takeUpdate(at: now)
        update?.events = []
        update?.base = 0
        update?.number = 0
        update?.totals.isStarting = true
        return update
    }
}

import Synchronization
import WinchModel

extension UpdateBroadcaster: UpdateSubscriber {
    /// Takes an update of the feed and passes it to the followers. The feed makes one call at a time; the call does not
    /// wait for followers.
    func post(_ update: Update) {
        let over = state.withLock { $0.take(update) }
        over.finish()
    }

    /// Ends all streams after the engine has ended. All followers have the last state by then.
    func end() {
        let (over, waiting) = state.withLock { state in
            (state.isClosed, state.hasEnded) = (true, true)
            defer { state.waitingForEnd = [] }
            return (state.follows.removeAll(), state.waitingForEnd)
        }
        over.finish()
        for continuation in waiting { continuation.resume() }
    }
}

extension UpdateBroadcaster.State {
    /// - Returns: the followers that have received their last state.
    fileprivate mutating func take(_ update: Update) -> Subscriptions.Over {
        var over = Subscriptions.Over()
        for event in update.events {
            guard case .resumed = event.kind, let id = event.id, id.number <= records.count else { continue }
            change(id) { $0.awaitsRetry = false }
        }
        for (id, row) in update.rows where id.number <= records.count {
            let progress = Transfer.Progress(row, at: update.at)
            let record = change(id) { $0.progress = progress }
            guard let shown = record.shown else { continue }
            follows.give(shown, of: id, isLast: record.isSettled, over: &over)
        }
        latest = NetworkQueue.Progress(update.totals, at: update.at)
        // If the engine's totals are settled but a transfer was added that the engine has not seen yet, this is no end.
        if unsettled == 0 || !latest.isSettled {
            follows.give(latest, isLast: unsettled == 0, over: &over)
        }
        follows.giveEvents(update.events, room: EventBuffer.room(for: records.count))
        return over
    }

    @discardableResult
    private mutating func change(_ id: TransferID, _ body: (inout UpdateBroadcaster.Record) -> Void)
        -> UpdateBroadcaster.Record
    {
        let was = records[id.number - 1].isSettled
        body(&records[id.number - 1])
        let record = records[id.number - 1]
        unsettled += (was ? 1 : 0) - (record.isSettled ? 1 : 0)
        return record
    }
}

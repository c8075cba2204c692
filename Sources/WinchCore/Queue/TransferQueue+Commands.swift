extension TransferQueue {
    /// What a person asked for. A request that makes no sense in a transfer's phase does nothing.
    mutating func obey(_ command: Command, at now: Moment) -> [QueueAction] {
        switch command {
        case .pause(let ids): return ids.flatMap { pause($0, at: now) }
        case .resume(let ids): for id in ids { resume(id, at: now) }
        case .pauseAll:
            settings.isHeld = true
            feed.areTotalsChanged = true
            return order.flatMap { pause($0, at: now) }
        case .resumeAll:
            settings.isHeld = false
            feed.areTotalsChanged = true
            for id in order { resume(id, at: now) }
        case .cancel(let ids): return ids.flatMap { cancel($0, at: now) }
        case .retry(let ids): for id in ids { retry(id, at: now) }
        case .retryFailed:
            for id in order {
                if case .failed? = self[id]?.phase { retry(id, at: now) }
            }
        case .add(let specs): add(specs.map { Addition(spec: $0) }, at: now)
        case .remove(let ids): remove(ids, at: now)
        case .setSlots(let slots):
            settings.slots = min(max(1, slots), Self.mostSlots)
            feed.areTotalsChanged = true
        case .setMode(let mode): return setMode(mode, at: now)
        case .move(let id, let places): move(id, by: places)
        case .setRateLimit(let limit):
            settings.rateLimit = limit.flatMap { $0 > .zero ? $0 : nil }
            feed.areTotalsChanged = true
            return shareLimit()
        case .resumed: restartClocks(at: now)
        case .quit: return [.shutDown]
        }
        return []
    }

    /// More connections than this help nobody and use up the open files.
    public static let mostSlots = 256

    private mutating func pause(_ id: TransferID, at now: Moment) -> [QueueAction] {
        guard let transfer = self[id] else { return [] }
        switch transfer.phase {
        case .waiting, .backoff:
            change(id, at: now, .paused) { $0.pause(at: now) }
            return []
        case .connecting, .requested, .moving:
            change(id, at: now, .paused) { $0.pause(at: now) }
            return [.stop(id, transfer.stamp, discarding: false)]
        case .verifying, .paused, .finished, .failed, .cancelled:
            return []
        }
    }

    private mutating func resume(_ id: TransferID, at now: Moment) {
        guard self[id]?.phase == .paused else { return }
        change(id, at: now, .resumed) { transfer in
            transfer.phase = .waiting
            transfer.tries = 0
        }
    }

    /// Removes the part. While a file is being finished the transport decides: either it is gone, or it was complete before.
    private mutating func cancel(_ id: TransferID, at now: Moment) -> [QueueAction] {
        guard let transfer = self[id] else { return [] }
        switch transfer.phase {
        case .waiting, .paused, .backoff, .failed:
            settleCancelled(id, at: now)
            return [.discard(id, transfer.resume)]
        case .connecting, .requested, .moving:
            settleCancelled(id, at: now)
            return [.stop(id, transfer.stamp, discarding: true)]
        case .verifying(let isCancelling):
            guard !isCancelling else { return [] }
            change(id, at: now, nil) { $0.phase = .verifying(isCancelling: true) }
            return [.stop(id, transfer.stamp, discarding: true)]
        case .finished, .cancelled:
            return []
        }
    }

    mutating func settleCancelled(_ id: TransferID, at now: Moment) {
        change(id, at: now, .cancelled, cause: .removed(1)) { transfer in
            transfer.phase = .cancelled
            transfer.stamp.epoch += 1
            transfer.resume = nil
            transfer.stopClock(at: now)
        }
    }

    /// A failed transfer goes on with what it has; a cancelled one begins at nothing; a waiting retry starts at once.
    private mutating func retry(_ id: TransferID, at now: Moment) {
        guard let transfer = self[id] else { return }
        switch transfer.phase {
        case .failed, .cancelled:
            let estimate = known.estimate
            change(id, at: now, .resumed, cause: .retried) { transfer in
                transfer.have = transfer.resume?.have ?? .zero
                if let size = transfer.size.known {
                    // Asked again from the start, the server may name another size.
                    transfer.size = .probed(max(size, transfer.have))
                } else {
                    transfer.size = .unknown(estimate: max(estimate, transfer.have))
                }
                transfer.phase = .waiting
                transfer.tries = 0
                transfer.deadMirrors = 0
                transfer.timeSpent = .zero
                transfer.clockStarted = nil
            }
        case .backoff:
            change(id, at: now, nil) { $0.phase = .waiting }
        case .waiting, .connecting, .requested, .moving, .verifying, .paused, .finished:
            break
        }
    }

    /// Only settled transfers leave the list.
    private mutating func remove(_ ids: [TransferID], at now: Moment) {
        let gone = Set(ids.filter { self[$0]?.isSettled ?? false })
        guard !gone.isEmpty else { return }
        let before = Sums(self)
        for id in gone {
            guard let transfer = self[id] else { continue }
            progress.replace(transfer.progress, with: nil)
            learn(transfer.size, sign: -1)
            rows[id.number - 1] = nil
            feed.changed.remove(id)
        }
        order.removeAll { gone.contains($0) }
        feed.removed += gone.sorted()
        feed.isOrderChanged = true
        feed.areTotalsChanged = true
        let step = before.step(to: Sums(self))
        let cause = Rebase.Cause.removed(gone.count)
        if step.isBackwards {
            feed.rebase = Rebase(cause: cause, at: now, completed: step.completed, total: step.total)
        }
        feed.append(
            FeedEvent(
                id: nil, at: now, kind: step.isBackwards ? .rebase(cause) : .removed, completed: step.completed,
                total: step.total))
    }

    private mutating func setMode(_ mode: ProgressMode, at now: Moment) -> [QueueAction] {
        guard mode != settings.mode else { return [] }
        let before = fraction
        settings.mode = mode
        feed.areTotalsChanged = true
        if fraction.value < before.value {
            feed.rebase = Rebase(cause: .modeChanged, at: now, completed: 0, total: 0)
            feed.append(FeedEvent(id: nil, at: now, kind: .rebase(.modeChanged)))
        }
        return mode == .simple ? stopSizing(at: now) : []
    }

    private mutating func move(_ id: TransferID, by places: Int) {
        guard let from = order.firstIndex(of: id) else { return }
        let to = min(max(0, from.addingReportingOverflow(places).partialValue), order.count - 1)
        let step = to < from ? -1 : 1
        var index = from
        while index != to {
            swapRanks(order[index], order[index + step])
            order.swapAt(index, index + step)
            index += step
        }
        feed.isOrderChanged = true
    }

    private mutating func swapRanks(_ one: TransferID, _ other: TransferID) {
        guard let first = self[one]?.rank, let second = self[other]?.rank else { return }
        setRank(of: one, to: second)
        setRank(of: other, to: first)
    }

    private mutating func setRank(of id: TransferID, to rank: Int) {
        rows[id.number - 1]?.rank = rank
        guard let transfer = self[id], transfer.phase == .waiting else { return }
        line.insert(id, rank: rank)
        if transfer.wantsSizing { sizer.line.insert(WaitingLine.Place(rank: rank, id: id)) }
    }

    /// The process was stopped for a while: that time is nobody's stall and no transfer's own.
    private mutating func restartClocks(at now: Moment) {
        estimator = RateEstimator()
        for id in active {
            rows[id.number - 1]?.estimator = RateEstimator()
            feed.changed.insert(id)
        }
        feed.areTotalsChanged = true
    }
}

extension TransferState {
    mutating func pause(at now: Moment) {
        phase = .paused
        stopClock(at: now)
    }
}

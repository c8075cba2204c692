/// How far a run is: counts of entries, each once however often it was delivered.
package struct RunStatus: Codable, Hashable, Sendable {
    package var run: String
    package var done: UInt64
    package var failed: UInt64
    /// In the queue, those at work included.
    package var left: UInt64
    package var isPaused: Bool
    /// Bytes a second over all workers; `nil`: no limit.
    package var limit: Double?
    package var workers: [WorkerRecord]
}

/// What users ask of a run, and tell all its workers.
extension FleetRun {
    /// - Throws: `badValue` when the run was never made.
    package func status() async throws(FleetFault) -> RunStatus {
        guard try await exists() else { throw missing }
        let done = try await jetStream.info(ofStream: done)?.state.messages ?? 0
        let failed = try await jetStream.info(ofStream: failed)?.state.messages ?? 0
        var records: [WorkerRecord] = []
        for key in try await workers.keys() {
            if let record = try await workers.get(key, as: WorkerRecord.self) { records.append(record.value) }
        }
        let control = try await control()
        return RunStatus(
            run: name, done: done, failed: failed, left: try await left(), isPaused: control.isPaused,
            limit: control.limit, workers: records)
    }

    /// Finds the run.
    ///
    /// - Throws: `badValue` when it was never made; `foreign`, `otherFormat`.
    package func find() async throws(FleetFault) {
        guard let known = try await jetStream.info(ofStream: queue) else { throw missing }
        guard let wanted = streams(replicas: 1).first else { return }
        try JetStream.check(known.config, against: wanted)
    }

    private var missing: FleetFault {
        .badValue("the server has no run '\(name)'; winch fleet submit makes one")
    }

    /// Entries that are not settled, those at work included.
    ///
    /// The consumer counts them. A nats-server that was killed may have forgotten that it had removed some from the stream; its
    /// consumer knows that they are acknowledged, and never hands them out again.
    package func left() async throws(FleetFault) -> UInt64 {
        guard let stream = try await jetStream.info(ofStream: queue) else { return 0 }
        guard let workers = try await jetStream.info(ofConsumer: Self.workersConsumer, of: queue) else {
            return stream.state.messages
        }
        return min(stream.state.messages, workers.pending + UInt64(max(0, workers.ackPending)))
    }

    /// Changes what all workers are to do. Others may change it at the same time: no change is lost.
    package func change(_ change: @Sendable (inout RunControl) -> Void) async throws(FleetFault) {
        while true {
            let known = try await state.get(RunControl.key, as: RunControl.self)
            var new = known?.value ?? RunControl()
            change(&new)
            let value = KeyValueBucket.encode(new)
            if try await state.replace(RunControl.key, revision: known?.revision, by: value) { return }
        }
    }

    /// Drops the entries that are in the queue now; those that are submitted later are not affected.
    ///
    /// - Returns: how many there were.
    package func cancel() async throws(FleetFault) -> UInt64 {
        guard let info = try await jetStream.info(ofStream: queue) else { return 0 }
        let last = info.state.last
        // First the workers, which would download theirs to the end.
        try await change { $0.cancelledThrough = max($0.cancelledThrough, last) }
        return try await jetStream.purge(queue, through: last)
    }

    /// Drops these entries, by their places in the queue.
    func cancel(_ entries: [UInt64]) async throws(FleetFault) {
        try await change { $0.cancel(entries) }
        for entry in entries { try await jetStream.remove(entry, from: queue) }
    }
}

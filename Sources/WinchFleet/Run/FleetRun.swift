import WinchModel

/// A list that a fleet works on: its streams and buckets at the server. Several runs are beside each other.
package struct FleetRun: Sendable {
    package let name: String
    package let jetStream: JetStream
    /// The entries of a dead worker are delivered again after this time: within 30 s with all delays. It is that of a new run; one
    /// that is there keeps its own, which `open` returns.
    var ackWait = FleetRun.usualAckWait
    package static let usualAckWait = Duration.seconds(20)

    /// - Throws: `badValue` for a name that cannot be a part of a stream's name.
    package init(_ name: String, at link: NatsLink) throws(FleetFault) {
        let isGood = name.utf8.allSatisfy { $0.isAlphanumeric || "-_".utf8.contains($0) }
        guard isGood, !name.isEmpty, name.utf8.count <= 64 else {
            throw .badValue("the name of a run has letters, digits, '-' and '_', at most 64; not '\(name.prefix(80))'")
        }
        (self.name, jetStream) = (name, JetStream(link))
    }

    /// The entries that are not settled.
    var queue: String { "winch-\(name)-queue" }
    /// The entries that failed for good, with their reasons.
    var failed: String { "winch-\(name)-failed" }
    /// A result for each entry whose file is complete.
    var done: String { "winch-\(name)-done" }
    var queueSubject: String { "winch.\(name).queue" }
    var failedSubject: String { "winch.\(name).failed" }
    var doneSubject: String { "winch.\(name).done" }
    /// Where a worker publishes its state for dashboards: the update of a queue, in the JSON of sessions. Not stored.
    package func updatesSubject(ofWorker worker: String) -> String { "winch.\(name).updates.\(worker)" }

    /// The consumer of `queue` that all workers share.
    static let workersConsumer = "workers"
    /// `control`: see `RunControl`.
    package var state: KeyValueBucket { KeyValueBucket(jetStream: jetStream, name: "winch-\(name)") }
    /// By its ID, each worker that has shown itself within `workerLifetime`: see `WorkerRecord`.
    package var workers: KeyValueBucket { KeyValueBucket(jetStream: jetStream, name: "winch-\(name)-workers") }

    /// A worker shows itself each second; one that vanished is gone from the bucket after this time.
    static let workerLifetime = Duration.seconds(5)
    /// A list that is submitted again within this time adds nothing.
    static let submitMemory = Duration.seconds(24 * 3600)
    /// An entry is settled once, if the server learns of it again within this time.
    static let resultMemory = Duration.seconds(2 * 3600)
}

extension FleetRun {
    /// Makes what is missing at the server.
    ///
    /// - Parameter replicas: servers of a cluster that store each message, for what is made now.
    /// - Returns: after which time the entries of a dead worker are delivered again.
    @discardableResult package func open(replicas: Int = 1) async throws(FleetFault) -> Duration {
        for settings in streams(replicas: replicas) { try await jetStream.ensure(settings) }
        try await state.ensure(replicas: replicas, "state of run \(name)")
        try await workers.ensure(replicas: replicas, lifetime: Self.workerLifetime, "workers of run \(name)")
        return try await openConsumer()
    }

    /// Makes the consumer that all workers share where it is missing.
    ///
    /// - Returns: as `open`.
    @discardableResult func openConsumer() async throws(FleetFault) -> Duration {
        var consumer = ConsumerSettings(durable: Self.workersConsumer)
        consumer.description = "\(FleetFormat.mark)\(FleetFormat.current): workers of run \(name)"
        // Workers renew their claims in time for the value at their start. A change would let the claims of living ones end.
        let known = try await jetStream.info(ofConsumer: Self.workersConsumer, of: queue)
        consumer.ackWait = known?.config.ackWait ?? ackWait.nanoseconds
        // The server's usual bound, 1000, would be that of the whole fleet.
        consumer.maxAckPending = 1_000_000
        consumer.maxDeliver = -1
        // Requests that wait; the server's usual bound is 512.
        consumer.maxWaiting = 16_384
        // nats-server writes even settings that are the same, and loses the consumer when it is killed meanwhile.
        if known?.config != consumer { _ = try await jetStream.ensure(consumer, of: queue) }
        return consumer.ackWait.map { Duration.nanoseconds($0) } ?? ackWait
    }

    func streams(replicas: Int) -> [StreamSettings] {
        let mark = "\(FleetFormat.mark)\(FleetFormat.current): "
        var queue = StreamSettings(queue, subjects: [queueSubject], description: mark + "queue of run \(name)")
        queue.retention = .workqueue
        queue.duplicateWindow = Self.submitMemory.nanoseconds
        var failed = StreamSettings(failed, subjects: [failedSubject], description: mark + "failures of run \(name)")
        failed.duplicateWindow = Self.resultMemory.nanoseconds
        var done = StreamSettings(done, subjects: [doneSubject], description: mark + "results of run \(name)")
        done.duplicateWindow = Self.resultMemory.nanoseconds
        return [queue, failed, done].map { settings in
            var settings = settings
            settings.replicas = replicas
            return settings
        }
    }
}

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
        try await find()
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

    /// What all workers are to do; the usual where it was never set.
    package func control() async throws(FleetFault) -> RunControl {
        try await state.get(RunControl.key, as: RunControl.self)?.value ?? RunControl()
    }

    /// Changes what all workers are to do. Others may change it at the same time: no change is lost.
    package func change(_ change: @Sendable (inout RunControl) -> Void) async throws(FleetFault) {
        while true {
            let known = try await state.get(RunControl.key, as: RunControl.self)
            var new = known?.value ?? RunControl()
            change(&new)
            let value = KeyValueBucket.encode(new)
            if try await state.replace(RunControl.key, revision: known?.revision, by: value) != nil { return }
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

/// What all workers of a run are to do: the value of the key `control` in the bucket of the run's state.
package struct RunControl: Codable, Hashable, Sendable {
    package static let key = "control"

    /// Workers take nothing, and stop what they have.
    package var isPaused = false
    /// Bytes a second over all workers; `nil`: no limit.
    package var limit: Double?
    /// The entries of the queue up to this sequence are cancelled.
    package var cancelledThrough: UInt64 = 0
    /// Further entries that are cancelled, by their sequences; the latest ones.
    package var cancelled: [UInt64]?
    /// How often the workers were told to end. A worker ends when it is more than at its start.
    package var stops = 0

    /// More would make the value too long; older ones are not in the queue any more.
    private static let mostCancelled = 1000

    func cancels(_ entry: UInt64) -> Bool { entry <= cancelledThrough || cancelled?.contains(entry) ?? false }

    mutating func cancel(_ entries: [UInt64]) {
        let new = entries.filter { !cancels($0) }
        cancelled = Array(((cancelled ?? []) + new).suffix(Self.mostCancelled))
    }
}

/// What a worker has added to a run since its start: the value of the key `tally.WORKER` in the bucket of the run's state, which
/// stays when the worker has gone. The streams count entries, but no bytes.
package struct RunTally: Codable, Hashable, Sendable {
    package static let prefix = "tally."

    package var done = 0
    package var bytes: Int64 = 0
}

/// A list that a fleet works on: its streams and buckets at the server. Several runs are beside each other.
package struct FleetRun: Sendable {
    package let name: String
    package let jetStream: JetStream
    /// The entries of a dead worker are delivered again after this time: within 30 s with all delays. A worker renews its claims
    /// at a fifth of it.
    var ackWait = Duration.seconds(20)

    /// - Throws: `badValue` for a name that cannot be a part of a stream's name.
    package init(_ name: String, at link: NatsLink) throws(FleetFault) {
        let isGood = name.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || (0x30...0x39).contains(byte)
                || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
        }
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
    package func open(replicas: Int = 1) async throws(FleetFault) {
        for settings in streams(replicas: replicas) { try await jetStream.ensure(settings) }
        try await state.ensure(replicas: replicas, "state of run \(name)")
        try await workers.ensure(replicas: replicas, lifetime: Self.workerLifetime, "workers of run \(name)")
        var consumer = ConsumerSettings(durable: Self.workersConsumer)
        consumer.description = "\(FleetFormat.mark)\(FleetFormat.current): workers of run \(name)"
        consumer.ackWait = ackWait.nanoseconds
        // The server's usual bound, 1000, would be that of the whole fleet.
        consumer.maxAckPending = 1_000_000
        consumer.maxDeliver = -1
        // Requests that wait; the server's usual bound is 512.
        consumer.maxWaiting = 16_384
        _ = try await jetStream.ensure(consumer, of: queue)
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

    /// Whether the run was made.
    package func exists() async throws(FleetFault) -> Bool { try await jetStream.info(ofStream: queue) != nil }
}

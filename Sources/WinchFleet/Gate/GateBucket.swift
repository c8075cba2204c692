import WinchModel
import WinchTransport

/// Carries out what a `GateMachine` wants of the bucket that all runs of a server share.
struct GateBucket: Sendable {
    private let bucket: KeyValueBucket
    private let worker: String
    private let rateKey: String
    private let send: @Sendable (GateMachine.Event) -> Void
    private let tell: @Sendable (FleetFault) -> Void
    private var watches: [String: NatsSubscription] = [:]

    static let name = "winch-gates"
    /// What was learned of a host is forgotten when it was not used for a day; so are the signs of workers that are gone.
    private static let memory = Duration.seconds(24 * 3600)

    /// - Parameters:
    ///   - send: takes what follows, on any thread.
    ///   - tell: takes why something cannot be read or stored.
    init(
        _ run: FleetRun, worker: String, send: @escaping @Sendable (GateMachine.Event) -> Void,
        tell: @escaping @Sendable (FleetFault) -> Void
    ) {
        (bucket, rateKey) = (run.gates, "rate.\(run.name)")
        (self.worker, self.send, self.tell) = (worker, send, tell)
    }

    static func ensure(_ run: FleetRun, replicas: Int) async throws(FleetFault) {
        try await run.gates.ensure(replicas: replicas, lifetime: memory, "connections to hosts, of all runs")
    }

    /// The clock of leases also counts the time for which the machine sleeps.
    static func now() -> Moment { SystemClock.moment() + SystemClock.slept() }

    /// The key of a host; a key has letters, digits, `-`, `_`, `=`, `/` and dots that are not beside each other.
    static func key(ofHost host: String) -> String {
        host.utf8.reduce(into: "host.") { key, byte in
            let isAllowed = byte.isAlphanumeric || "-_".utf8.contains(byte)
            key += isAllowed ? String(Unicode.Scalar(byte)) : "=" + Hex.encoded([byte])
        }
    }

    /// - Parameter perform: the actions that are those of the queue.
    mutating func perform(_ actions: [GateMachine.Action], queue perform: (GateMachine.Action) -> Void) {
        for action in actions {
            switch action {
            case .watch(let host): watch(host)
            case .unwatch(let host): watches.removeValue(forKey: host)?.end()
            case .read(let host, let pause): read(host, after: pause)
            case .store(let gate, let revision): store(gate, revision)
            case .readRate: readRate()
            case .storeRate(let leases, let revision): store(leases, revision)
            case .sign: sign()
            case .see(let other): see(other)
            case .share, .limit: perform(action)
            }
        }
    }

    private mutating func watch(_ host: String) {
        guard watches[host] == nil else { return }
        watches[host] = try? bucket.watch(Self.key(ofHost: host)) { [send, worker] _, message in
            let gate: HostGate? = KeyValueBucket.decode(message.body)
            if gate?.writer != worker { send(.changed(host)) }
        }
    }

    private func read(_ host: String, after pause: Duration) {
        act(else: .notStored(host), after: pause) { [bucket] () async throws(FleetFault) in
            let entry = try await bucket.get(Self.key(ofHost: host))
            let gate: HostGate? = entry.flatMap { KeyValueBucket.decode($0.value) }
            // What is no gate of this host is replaced.
            let isGood = gate.map { $0.host == host && $0.isPlausible } ?? false
            return .read(host, isGood ? gate : nil, revision: entry?.revision)
        }
    }

    private func store(_ gate: HostGate, _ revision: UInt64?) {
        act(else: .notStored(gate.host)) { [bucket] () async throws(FleetFault) in
            try await bucket.replace(Self.key(ofHost: gate.host), revision: revision, by: KeyValueBucket.encode(gate))
                .map { GateMachine.Event.stored(gate.host, revision: $0) }
        }
    }

    private func readRate() {
        act(else: .rateNotStored) { [bucket, rateKey] () async throws(FleetFault) in
            let entry = try await bucket.get(rateKey)
            let leases: Leases? = entry.flatMap { KeyValueBucket.decode($0.value) }
            return .rateRead(leases?.isPlausible ?? false ? leases : nil, revision: entry?.revision)
        }
    }

    private func store(_ leases: Leases, _ revision: UInt64?) {
        act(else: .rateNotStored) { [bucket, rateKey] () async throws(FleetFault) in
            try await bucket.replace(rateKey, revision: revision, by: KeyValueBucket.encode(leases))
                .map { GateMachine.Event.rateStored(revision: $0) }
        }
    }

    /// Asks the bucket, and sends what follows.
    ///
    /// - Parameter failed: what follows when there is no answer, or `ask` has none.
    private func act(
        else failed: GateMachine.Event, after pause: Duration = .zero,
        _ ask: @escaping @Sendable () async throws(FleetFault) -> GateMachine.Event?
    ) {
        Task { [send, tell] in
            if pause > .zero { try? await Task.sleep(for: pause) }
            do throws(FleetFault) {
                return send(try await ask() ?? failed)
            } catch {
                tell(error)
            }
            // The next try follows soon.
            try? await Task.sleep(for: .milliseconds(500))
            send(failed)
        }
    }

    private func sign() {
        let sent = Self.now()
        let sign = Array((ProcessIdentity.own?.text ?? "").utf8)
        Task { [bucket, worker, send] in
            if (try? await bucket.put("worker.\(worker)", sign)) != nil { send(.signed(sent)) }
        }
    }

    private func see(_ other: String) {
        let asked = Self.now()
        Task { [bucket, send] in
            do throws(FleetFault) {
                let sign = try await bucket.get("worker.\(other)")
                let process = sign.flatMap { ProcessIdentity(String(decoding: $0.value, as: UTF8.self)) }
                send(.seen(other, sign?.revision, asked: asked, hasEnded: process?.hasEnded ?? false))
            } catch {
                // The worker cannot be judged by what the server does not say.
            }
        }
    }
}

extension FleetRun {
    /// The gates of all hosts, which all runs of a server share, and the parts of each run's limit.
    var gates: KeyValueBucket { KeyValueBucket(jetStream: jetStream, name: GateBucket.name) }
}

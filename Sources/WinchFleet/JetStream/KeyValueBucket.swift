import FoundationEssentials

/// A key-value bucket: a stream of JetStream with the latest value of each key. The tool `nats kv` shows it.
///
/// - Source: https://github.com/nats-io/nats-architecture-and-design/blob/main/adr/ADR-8.md
package struct KeyValueBucket: Sendable {
    let jetStream: JetStream
    package let name: String

    /// A value and the revision that a change of it must name.
    package struct Entry: Sendable {
        package var value: [UInt8]
        package var revision: UInt64
    }

    var stream: String { "KV_" + name }

    /// - Parameter lifetime: after it a value that was not put again disappears, by the server's clock; `nil`: never.
    func ensure(replicas: Int, lifetime: Duration? = nil, _ purpose: String) async throws(FleetFault) {
        var settings = StreamSettings(
            stream, subjects: ["$KV.\(name).>"], description: "\(FleetFormat.mark)\(FleetFormat.current): \(purpose)")
        settings.maxMessagesPerSubject = 1
        settings.replicas = replicas
        settings.discard = "new"
        settings.allowsRollup = true
        settings.allowsDirect = true
        if let lifetime {
            settings.maxAge = lifetime.nanoseconds
            settings.duplicateWindow = lifetime.nanoseconds
        }
        try await jetStream.ensure(settings)
    }

    /// - Returns: `nil`: there is no value.
    package func get(_ key: String) async throws(FleetFault) -> Entry? {
        let message = try await jetStream.link.request("$JS.API.DIRECT.GET.\(stream).$KV.\(name).\(key)")
        if message.status == 404 { return nil }
        if message.status == 503 { throw .noJetStream(server: jetStream.link.shownServer) }
        guard message.status == nil else {
            throw .refused(message.headers["Description"] ?? "", code: message.status ?? 0)
        }
        guard let revision = message.headers["Nats-Sequence"].flatMap(UInt64.init) else { return nil }
        if message.headers["KV-Operation"] != nil { return nil }
        if let format = message.headers[FleetFormat.header], format != "\(FleetFormat.current)" {
            throw .otherFormat("the entry \(key) of the bucket \(name)", format: format)
        }
        return Entry(value: message.body, revision: revision)
    }

    private struct LatestRequest: Encodable, Sendable {
        var subject: String

        enum CodingKeys: String, CodingKey {
            case subject = "last_by_subj"
        }
    }

    private struct Latest: Decodable, Sendable {
        struct Message: Decodable, Sendable {
            var seq: UInt64
            var data: Data?
        }

        var message: Message
    }

    /// As `get`, from the server that stores changes: one that only copies them may be late.
    func getLatest(_ key: String) async throws(FleetFault) -> Entry? {
        do throws(FleetFault) {
            let latest: Latest = try await jetStream.ask(
                "STREAM.MSG.GET." + stream, LatestRequest(subject: subject(key)))
            return Entry(value: Array(latest.message.data ?? Data()), revision: latest.message.seq)
        } catch .refused(_, code: JetStream.Code.noMessage) {
            return nil
        }
    }

    /// Replaces a value whatever it is.
    @discardableResult
    package func put(_ key: String, _ value: [UInt8]) async throws(FleetFault) -> UInt64 {
        try await jetStream.store(subject(key), value).seq
    }

    /// Replaces a value if it is still the one with this revision.
    ///
    /// - Parameter revision: `nil`: there must be none.
    /// - Returns: false: it has changed.
    package func replace(_ key: String, revision: UInt64?, by value: [UInt8]) async throws(FleetFault) -> Bool {
        try await store(key, revision: revision, value) != nil
    }

    /// As `replace`.
    ///
    /// - Returns: the new revision; `nil`: the value has changed.
    func store(_ key: String, revision: UInt64?, _ value: [UInt8]) async throws(FleetFault) -> UInt64? {
        let headers = FleetFormat.headers + [("Nats-Expected-Last-Subject-Sequence", "\(revision ?? 0)")]
        do throws(FleetFault) {
            return try await jetStream.store(subject(key), headers: headers, value).seq
        } catch .refused(_, code: JetStream.Code.wrongLastSequence) {
            return nil
        }
    }

    func remove(_ key: String) async throws(FleetFault) {
        _ = try await jetStream.store(
            subject(key), headers: FleetFormat.headers + [("KV-Operation", "DEL")], [])
    }

    private func subject(_ key: String) -> String { "$KV.\(name).\(key)" }

    private struct SubjectsRequest: Encodable, Sendable {
        var filter: String
        var offset: Int

        enum CodingKeys: String, CodingKey {
            case offset
            case filter = "subjects_filter"
        }
    }

    private struct Subjects: Decodable, Sendable {
        struct State: Decodable, Sendable {
            var subjects: [String: Int]?
        }

        var state: State
    }

    /// The keys that have a value, or had one that was removed, sorted.
    package func keys(beginningWith prefix: String = "") async throws(FleetFault) -> [String] {
        let start = "$KV.\(name)."
        let answer: Subjects = try await jetStream.ask(
            "STREAM.INFO." + stream, SubjectsRequest(filter: start + ">", offset: 0))
        return (answer.state.subjects ?? [:]).keys.map { String($0.dropFirst(start.count)) }
            .filter { $0.hasPrefix(prefix) }.sorted()
    }

    /// Calls `take` when the value of a key may have changed; a change can be told that does not take place.
    func watch(_ key: String, _ take: @escaping @Sendable () -> Void) throws(FleetFault) -> NatsSubscription {
        try jetStream.link.subscribe(subject(key)) { _ in take() }
    }

    /// Calls `take` with a key and its new value, which can be one that the server does not store after all.
    ///
    /// - Parameter prefix: empty, or the first words of the keys, with a dot at the end.
    func watch(
        keysBeginningWith prefix: String, _ take: @escaping @Sendable (_ key: String, _ message: NatsMessage) -> Void
    ) throws(FleetFault) -> NatsSubscription {
        let start = "$KV.\(name)."
        return try jetStream.link.subscribe(start + prefix + ">") {
            take(String($0.subject.dropFirst(start.count)), $0)
        }
    }
}

extension KeyValueBucket {
    package func get<Value: Decodable>(_ key: String, as: Value.Type) async throws(FleetFault) -> (
        value: Value, revision: UInt64
    )? {
        guard let entry = try await get(key) else { return nil }
        guard let value = try? JSONDecoder().decode(Value.self, from: Data(entry.value)) else {
            throw .foreign(name: "the entry \(key) of the bucket \(name)", reason: "it is not what winch stores there")
        }
        return (value, entry.revision)
    }

    static func encode(_ value: some Encodable) -> [UInt8] { (try? Array(JSONEncoder().encode(value))) ?? [] }
}

import FoundationEssentials
import WinchModel
import WinchSystem

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

    private struct Latest: Decodable, Sendable {
        struct Message: Decodable, Sendable {
            var seq: UInt64
            var hdrs: Data?
            var data: Data?
        }

        var message: Message

        var headers: [Substring] {
            String(decoding: message.hdrs ?? Data(), as: UTF8.self).split(separator: "\r\n")
        }

        /// The mark that a removed value leaves. It has a revision like a value.
        var isRemoval: Bool { headers.contains { $0.hasPrefix("KV-Operation:") } }
    }

    /// From the server that stores changes: one that only copies them may be late.
    ///
    /// - Returns: `nil`: the key never had a value.
    private func latestMessage(of key: String) async throws(FleetFault) -> Latest? {
        try await jetStream.ask(
            "STREAM.MSG.GET." + stream, ["last_by_subj": subject(key)], unless: JetStream.Code.noMessage)
    }

    /// - Returns: `nil`: there is no value.
    package func get(_ key: String) async throws(FleetFault) -> Entry? {
        guard let latest = try await latestMessage(of: key), !latest.isRemoval else { return nil }
        let format = latest.headers.first { $0.hasPrefix(FleetFormat.header + ":") }
            .map { $0.dropFirst(FleetFormat.header.count + 1).drop { $0 == " " } }
        if let format, format != "\(FleetFormat.current)" {
            throw .otherFormat("the entry \(key) of the bucket \(name)", format: String(format))
        }
        return Entry(value: Array(latest.message.data ?? Data()), revision: latest.message.seq)
    }

    /// Replaces a value whatever it is.
    func put(_ key: String, _ value: [UInt8]) async throws(FleetFault) {
        _ = try await jetStream.store(subject(key), value)
    }

    /// As `put`, without waiting: it may be lost.
    func publish(_ key: String, _ value: some Encodable) {
        jetStream.link.publish(subject(key), headers: FleetFormat.headers, Self.encode(value))
    }

    /// Replaces a value if it is still the one with this revision.
    ///
    /// - Parameter revision: `nil`: there must be none.
    /// - Returns: the new revision; `nil`: the value has changed.
    func replace(_ key: String, revision: UInt64?, by value: [UInt8]) async throws(FleetFault) -> UInt64? {
        if let new = try await store(key, value, after: revision ?? 0) { return new }
        // As kvStore_Create of libnats does: where a value was removed, the new one follows the mark.
        guard revision == nil, let latest = try await latestMessage(of: key), latest.isRemoval else { return nil }
        return try await store(key, value, after: latest.message.seq)
    }

    /// - Parameter sequence: of the latest message of the key; 0: there is none.
    /// - Returns: the new revision; `nil`: another message is the latest.
    private func store(_ key: String, _ value: [UInt8], after sequence: UInt64) async throws(FleetFault) -> UInt64? {
        let headers = FleetFormat.headers + [("Nats-Expected-Last-Subject-Sequence", "\(sequence)")]
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

    private struct Subjects: Decodable, Sendable {
        struct State: Decodable, Sendable {
            var subjects: [String: Int]?
        }

        var state: State
    }

    /// The keys that have a value, or had one that was removed, sorted.
    package func keys(beginningWith prefix: String = "") async throws(FleetFault) -> [String] {
        let start = subject("")
        let answer: Subjects = try await jetStream.ask(
            "STREAM.INFO." + stream, ["subjects_filter": start + ">"])
        return (answer.state.subjects ?? [:]).keys.map { String($0.dropFirst(start.count)) }
            .filter { $0.hasPrefix(prefix) }.sorted()
    }

    /// Calls `take` with a key and its new value, which can be one that the server does not store after all.
    ///
    /// - Parameter keys: one key, or the first words of several with `>` behind them.
    func watch(
        _ keys: String, _ take: @escaping @Sendable (_ key: String, _ message: NatsMessage) -> Void
    ) throws(FleetFault) -> NatsSubscription {
        let start = subject("")
        return try jetStream.link.subscribe(start + keys) { take(String($0.subject.dropFirst(start.count)), $0) }
    }
}

extension KeyValueBucket {
    package func get<Value: Decodable>(_ key: String, as: Value.Type) async throws(FleetFault) -> (
        value: Value, revision: UInt64
    )? {
        guard let entry = try await get(key) else { return nil }
        guard let value: Value = Self.decode(entry.value) else {
            throw .foreign(name: "the entry \(key) of the bucket \(name)", reason: "it is not what winch stores there")
        }
        return (value, entry.revision)
    }

    static func decode<Value: Decodable>(_ bytes: [UInt8]) -> Value? {
        try? JSONDecoder().decode(Value.self, untrusted: Data(bytes))
    }

    static func encode(_ value: some Encodable) -> [UInt8] { (try? Array(JSONEncoder().encode(value))) ?? [] }
}

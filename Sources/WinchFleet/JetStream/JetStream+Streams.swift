extension JetStream {
    struct Nothing: Decodable, Sendable {}

    /// - Returns: `nil`: there is no such stream.
    func info(ofStream name: String) async throws(FleetFault) -> StreamInfo? {
        do throws(FleetFault) {
            return try await ask("STREAM.INFO." + name)
        } catch .refused(_, code: Code.streamNotFound) {
            return nil
        }
    }

    /// Makes a stream, or finds the one that is there.
    ///
    /// - Parameter what: of `foreign`: what its name belongs to.
    /// - Throws: `foreign` when the name or one of its subjects belongs to another program; `otherFormat`.
    func ensure(_ settings: StreamSettings) async throws(FleetFault) {
        if let known = try await info(ofStream: settings.name) {
            return try Self.check(known.config, against: settings)
        }
        do throws(FleetFault) {
            let made: StreamInfo = try await ask("STREAM.CREATE." + settings.name, settings)
            try Self.check(made.config, against: settings)
        } catch .refused(_, code: Code.streamExists) {
            // Another client has made it meanwhile.
            guard let known = try await info(ofStream: settings.name) else {
                throw .noAnswer(to: "the stream \(settings.name)")
            }
            try Self.check(known.config, against: settings)
        } catch .refused(let words, code: Code.overlap) {
            throw .foreign(
                name: "a stream with the subject \(settings.subjects.joined(separator: ", "))", reason: words)
        }
    }

    /// Whether a stream is the one that this version would make, but for what its user may choose: replicas.
    static func check(_ known: StreamSettings, against wanted: StreamSettings) throws(FleetFault) {
        let name = "the stream \(wanted.name)"
        guard let words = known.description, words.hasPrefix(FleetFormat.mark) else {
            throw .foreign(
                name: name,
                reason: known.description.map { "it is described as '\($0.prefix(80))'" } ?? "it has no description")
        }
        let format = String(words.dropFirst(FleetFormat.mark.count).prefix { $0.isNumber })
        guard format == "\(FleetFormat.current)" else { throw .otherFormat(name, format: format) }
        guard known.subjects == wanted.subjects else {
            throw .foreign(name: name, reason: "it has other subjects: \(known.subjects.joined(separator: ", "))")
        }
        guard known.retention == wanted.retention else {
            throw .foreign(name: name, reason: "its retention is \(known.retention.rawValue)")
        }
    }

    private struct ConsumerRequest: Encodable, Sendable {
        var stream: String
        var config: ConsumerSettings

        enum CodingKeys: String, CodingKey {
            case config
            case stream = "stream_name"
        }
    }

    func ensure(_ settings: ConsumerSettings, of stream: String) async throws(FleetFault) -> ConsumerInfo {
        let call = settings.durable.map { "CONSUMER.DURABLE.CREATE.\(stream).\($0)" } ?? "CONSUMER.CREATE.\(stream)"
        return try await ask(call, ConsumerRequest(stream: stream, config: settings))
    }

    func info(ofConsumer name: String, of stream: String) async throws(FleetFault) -> ConsumerInfo? {
        do throws(FleetFault) {
            return try await ask("CONSUMER.INFO.\(stream).\(name)")
        } catch .refused(_, code: Code.consumerNotFound) {
            return nil
        }
    }

    private struct Purged: Decodable, Sendable {
        var purged: UInt64
    }

    /// Removes the messages of a stream up to a sequence.
    ///
    /// - Returns: how many there were.
    func purge(_ stream: String, through sequence: UInt64) async throws(FleetFault) -> UInt64 {
        let answer: Purged = try await ask("STREAM.PURGE." + stream, Sequence(seq: sequence + 1))
        return answer.purged
    }

    private struct Sequence: Codable, Sendable {
        var seq: UInt64
    }

    /// Removes one message; that it is gone already is no error.
    func remove(_ sequence: UInt64, from stream: String) async throws(FleetFault) {
        do throws(FleetFault) {
            let _: Nothing = try await ask("STREAM.MSG.DELETE." + stream, Sequence(seq: sequence))
        } catch .refused(_, code: let code) where code == Code.noMessage || code == 10057 || code == 10043 {}
    }
}

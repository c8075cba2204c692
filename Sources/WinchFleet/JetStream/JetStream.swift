import FoundationEssentials

/// The JetStream API of a server: requests in JSON.
///
/// - Source: https://docs.nats.io/reference/reference-protocols/nats_api_reference
package struct JetStream: Sendable {
    package let link: NatsLink

    package init(_ link: NatsLink) { self.link = link }

    struct Refusal: Decodable {
        var code: Int
        var errorCode: Int?
        var description: String?

        enum CodingKeys: String, CodingKey {
            case code, description
            case errorCode = "err_code"
        }
    }

    private struct Envelope: Decodable {
        var error: Refusal?
    }

    /// Codes of refusals.
    ///
    /// - Source: server/errors.json of nats-server.
    enum Code {
        static let consumerNotFound = 10014
        static let noMessage = 10037
        static let notEnabledForAccount = 10039
        static let streamExists = 10058
        static let streamNotFound = 10059
        static let overlap = 10065
        static let wrongLastSequence = 10071
        static let notEnabled = 10076
    }

    /// Asks the API.
    ///
    /// - Parameter call: without the prefix `$JS.API.`.
    /// - Throws: `refused` with a `Code`, and what a request throws.
    func ask<Answer: Decodable>(
        _ call: String, _ body: (any Encodable & Sendable)? = nil, as: Answer.Type = Answer.self
    ) async throws(FleetFault) -> Answer {
        let data = body.flatMap { try? Self.encoder.encode($0) } ?? Data()
        let message = try await link.request("$JS.API." + call, Array(data))
        return try answer(message, to: call)
    }

    private func answer<Answer: Decodable>(_ message: NatsMessage, to call: String) throws(FleetFault) -> Answer {
        if message.status == 503 { throw .noJetStream(server: link.shownServer) }
        let data = Data(message.body)
        if let refusal = (try? JSONDecoder().decode(Envelope.self, from: data))?.error {
            let code = refusal.errorCode ?? refusal.code
            if code == Code.notEnabled || code == Code.notEnabledForAccount {
                throw .noJetStream(server: link.shownServer)
            }
            throw .refused(refusal.description ?? "", code: code)
        }
        do {
            return try JSONDecoder().decode(Answer.self, from: data)
        } catch {
            throw .refused("an answer to \(call) that this winch does not understand", code: 0)
        }
    }

    private static var encoder: JSONEncoder { JSONEncoder() }
}

extension JetStream {
    /// The server's receipt for a stored message.
    struct Receipt: Decodable, Sendable {
        var seq: UInt64
        /// A message with the same ID was stored before, and this one is dropped.
        var duplicate: Bool?
    }

    /// Stores a message in the stream that has the subject.
    ///
    /// - Parameter id: a second message with it is dropped.
    func store(
        _ subject: String, id: String? = nil, headers: NatsLink.Headers = FleetFormat.headers, _ body: [UInt8]
    ) async throws(FleetFault) -> Receipt {
        let all = headers + (id.map { [("Nats-Msg-Id", $0)] } ?? [])
        return try answer(try await link.request(subject, headers: all, body), to: subject)
    }

    /// As `store`, without waiting.
    ///
    /// - Parameter take: called once, on another thread; must not block. A failed one may have been stored.
    func store(
        _ subject: String, id: String, _ body: [UInt8],
        _ take: @escaping @Sendable (Result<Receipt, FleetFault>) -> Void
    ) {
        link.request(subject, headers: FleetFormat.headers + [("Nats-Msg-Id", id)], body) { outcome in
            switch outcome {
            case .message(let message):
                do throws(FleetFault) {
                    if let receipt = Self.receipt(message) { return take(.success(receipt)) }
                    take(.success(try answer(message, to: subject)))
                } catch {
                    take(.failure(error))
                }
            case .late, .lost: take(.failure(link.fault(of: subject)))
            }
        }
    }

    /// Reads the usual receipt, `{"stream":"x","seq":5}`, without the cost of a JSON decoder.
    private static func receipt(_ message: NatsMessage) -> Receipt? {
        let text = String(decoding: message.body, as: UTF8.self)
        guard text.hasPrefix("{\"stream\":"), let start = text.ranges(of: "\"seq\":").first?.upperBound else {
            return nil
        }
        guard let seq = UInt64(text[start...].prefix { $0.isNumber }) else { return nil }
        return Receipt(seq: seq, duplicate: text.contains("\"duplicate\""))
    }
}

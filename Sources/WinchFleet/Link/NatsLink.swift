import CNats
import Glibc
import Synchronization
import WinchModel

/// A connection to the server of a fleet. When it is lost it connects again, for ever; what is published meanwhile is sent then.
///
/// May be used on any thread.
package final class NatsLink: Sendable {
    package enum Event: Hashable, Sendable {
        case lost, back
        /// The server refuses something, in its words.
        case fault(String)
        /// The link has ended for good.
        case closed(reason: String)
    }

    package typealias Headers = [(String, String)]

    private let pointer: NatsPointer
    private let replies: PendingReplies
    /// What the answers to this link's requests are sent to, with a dot at its end.
    private let inbox: String
    private let watch: Watch
    private let answers: NatsSubscription
    private let sweeper: Task<Void, Never>
    package let shownServer: String

    /// The context of libnats' callbacks: lives until the last event.
    private final class Watch: Sendable {
        let replies: PendingReplies
        let tell: @Sendable (Event) -> Void
        /// What the server refused last.
        let lastFault = Mutex<String?>(nil)
        let isClosed = Atomic(false)

        init(_ replies: PendingReplies, _ tell: @escaping @Sendable (Event) -> Void) {
            (self.replies, self.tell) = (replies, tell)
        }

        func take(_ event: Event) {
            switch event {
            case .lost, .back: replies.lose()
            case .fault(let words): lastFault.withLock { $0 = words }
            case .closed:
                isClosed.store(true, ordering: .releasing)
                replies.lose()
            }
            tell(event)
        }
    }

    /// Blocks until the connection is there, some seconds at most.
    ///
    /// - Parameters:
    ///   - name: of this client, for the server's lists.
    ///   - tell: called on a thread of libnats; must not block.
    package init(_ server: ServerChoice, name: String, tell: @escaping @Sendable (Event) -> Void = { _ in })
        throws(FleetFault)
    {
        for path in [server.credentials, server.authorities, server.certificate, server.key].compactMap(\.self) {
            guard access(path.cBytes, R_OK) == 0 else {
                throw .file(path: path, reason: String(cString: strerror(errno)))
            }
            var status = stat()
            // libnats takes an empty one for none.
            if stat(path.cBytes, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size == 0 {
                throw .file(path: path, reason: "the file is empty")
            }
        }
        let replies = PendingReplies()
        let watch = Watch(replies, tell)
        let connection = try Self.connect(server, name, watch)
        let inbox = "_INBOX.\(Self.random())."
        do throws(FleetFault) {
            answers = try NatsSubscription(connection, inbox + "*") { message in
                if let number = UInt64(message.subject.dropFirst(inbox.count)) {
                    replies.settle(number, .message(message))
                }
            }
        } catch {
            natsConnection_Destroy(connection)
            throw error
        }
        pointer = NatsPointer(value: connection)
        (self.replies, self.inbox, self.watch, shownServer) = (replies, inbox, watch, server.shown)
        sweeper = .ticking { replies.sweep() }
    }

    deinit {
        sweeper.cancel()
        answers.end()
        natsConnection_Destroy(pointer.value)
    }

    /// The server's latest refusal, in its words.
    package var lastFault: String? { watch.lastFault.withLock { $0 } }
    package var isClosed: Bool { watch.isClosed.load(ordering: .acquiring) }
    /// In bytes, of a message's body.
    package var largestBody: Int { Int(natsConnection_GetMaxPayload(pointer.value)) }

    /// Sends a message; while the connection is lost it is kept, up to 32 MiB of them.
    package func publish(_ subject: String, reply: String? = nil, headers: Headers = [], _ body: [UInt8] = []) {
        var message: OpaquePointer?
        defer { natsMsg_Destroy(message) }
        let status = body.withUnsafeBytes { bytes in
            natsMsg_Create(
                &message, subject, reply, bytes.bindMemory(to: CChar.self).baseAddress, Int32(clamping: bytes.count))
        }
        guard status == NATS_OK else { return }
        for (name, value) in headers { natsMsgHeader_Set(message, name, value) }
        natsConnection_PublishMsg(pointer.value, message)
    }

    /// Sends a request.
    ///
    /// - Parameter take: called once, on another thread; must not block.
    func request(
        _ subject: String, headers: Headers = [], _ body: [UInt8] = [], within span: Duration = .seconds(5),
        _ take: @escaping @Sendable (PendingReplies.Outcome) -> Void
    ) {
        let number = replies.add(within: span, take)
        if isClosed { replies.settle(number, .lost) }
        publish(subject, reply: inbox + "\(number)", headers: headers, body)
    }

    /// Sends a request and waits for the answer.
    ///
    /// - Throws: `noAnswer`, `notPermitted`, `closed`.
    package func request(
        _ subject: String, headers: Headers = [], _ body: [UInt8] = [], within span: Duration = .seconds(5)
    ) async throws(FleetFault) -> NatsMessage {
        let outcome = await withCheckedContinuation { continuation in
            request(subject, headers: headers, body, within: span) { continuation.resume(returning: $0) }
        }
        switch outcome {
        case .message(let message): return message
        case .lost where isClosed: throw .closed(reason: lastFault ?? "")
        case .late, .lost: throw fault(of: subject)
        }
    }

    /// What a request without an answer means.
    func fault(of subject: String) -> FleetFault {
        if let words = lastFault, words.lowercased().contains("permission") { return .notPermitted(words) }
        return .noAnswer(to: subject)
    }

    func subscribe(
        _ subject: String, _ take: @escaping @Sendable (NatsMessage) -> Void
    ) throws(FleetFault) -> NatsSubscription {
        try NatsSubscription(pointer.value, subject, take)
    }

    /// A subject for answers of a kind of their own.
    func newInbox() -> String { "_INBOX.\(Self.random())" }

    /// Blocks until the server has all that was published, or the time is over.
    package func flush(within span: Duration = .seconds(2)) {
        natsConnection_FlushTimeout(pointer.value, Int64(span / .milliseconds(1)))
    }

    private static func random() -> String {
        var numbers = SystemRandomNumberGenerator()
        return String(numbers.next(), radix: 36) + String(numbers.next(), radix: 36)
    }
}

extension NatsLink {
    private static func connect(
        _ server: ServerChoice, _ name: String, _ watch: Watch
    ) throws(FleetFault) -> OpaquePointer {
        let context = Unmanaged.passRetained(watch)
        var options: OpaquePointer?
        var connection: OpaquePointer?
        var status = natsOptions_Create(&options)
        defer { natsOptions_Destroy(options) }
        if status == NATS_OK { status = set(options, server, name, context.toOpaque()) }
        if status == NATS_OK { status = natsConnection_Connect(&connection, options) }
        if status == NATS_OK, let connection { return connection }
        context.release()
        let reason = nats_GetLastError(nil).map { String(cString: $0) } ?? ""
        throw fault(status, reason.isEmpty ? String(cString: natsStatus_GetText(status)) : plain(reason), server)
    }

    /// - Parameter context: a `Watch`, which the event of the end releases.
    private static func set(
        _ options: OpaquePointer?, _ server: ServerChoice, _ name: String, _ context: UnsafeMutableRawPointer
    ) -> natsStatus {
        let urls = server.servers.split(separator: ",").map { strdup(String($0).cBytes) }
        defer { urls.forEach { free($0) } }
        var list: [UnsafePointer<CChar>?] = urls.map { UnsafePointer($0) }
        var status = natsOptions_SetServers(options, &list, Int32(urls.count))
        func then(_ next: @autoclosure () -> natsStatus) {
            if status == NATS_OK { status = next() }
        }
        then(natsOptions_SetName(options, name.cBytes))
        if let token = server.token { then(natsOptions_SetToken(options, token.cBytes)) }
        if let file = server.credentials { then(natsOptions_SetUserCredentialsFromFiles(options, file.cBytes, nil)) }
        if server.isEncrypted { then(natsOptions_SetSecure(options, true)) }
        if let file = server.authorities { then(natsOptions_LoadCATrustedCertificates(options, file.cBytes)) }
        if let file = server.certificate {
            then(natsOptions_LoadCertificatesChain(options, file.cBytes, (server.key ?? file).cBytes))
        }
        then(natsOptions_SetMaxReconnect(options, -1))
        // In milliseconds.
        then(natsOptions_SetReconnectWait(options, 250))
        then(natsOptions_SetReconnectJitter(options, 250, 250))
        then(natsOptions_SetTimeout(options, 5000))
        then(natsOptions_SetPingInterval(options, 5000))
        then(natsOptions_SetReconnectBufSize(options, 32 << 20))
        then(natsOptions_SetDisconnectedCB(options, { NatsLink.watch($1)?.takeUnretainedValue().take(.lost) }, context))
        then(natsOptions_SetReconnectedCB(options, { NatsLink.watch($1)?.takeUnretainedValue().take(.back) }, context))
        then(
            natsOptions_SetClosedCB(
                options,
                { connection, context in
                    let reason = NatsLink.lastError(connection) ?? ""
                    NatsLink.watch(context)?.takeRetainedValue().take(.closed(reason: reason))
                }, context))
        then(
            natsOptions_SetErrorHandler(
                options,
                { connection, _, status, context in
                    let words = NatsLink.lastError(connection) ?? String(cString: natsStatus_GetText(status))
                    NatsLink.watch(context)?.takeUnretainedValue().take(.fault(words))
                }, context))
        return status
    }

    private static func watch(_ context: UnsafeMutableRawPointer?) -> Unmanaged<Watch>? {
        context.map { Unmanaged<Watch>.fromOpaque($0) }
    }

    private static func lastError(_ connection: OpaquePointer?) -> String? {
        var text: UnsafePointer<CChar>?
        natsConnection_GetLastError(connection, &text)
        return text.flatMap { $0.pointee == 0 ? nil : plain(String(cString: $0)) }
    }

    /// Without the place in the source of libnats, `(conn.c:2088): `.
    private static func plain(_ words: String) -> String {
        guard words.hasPrefix("("), let end = words.ranges(of: "): ").first else { return words }
        return String(words[end.upperBound...])
    }

    /// libnats has no status of its own for a credentials file that it cannot use.
    private static func isOfCredentials(_ words: String) -> Bool {
        ["checksum", "seed", "jwt", "nkey", "encoded key", "credentials"].contains { words.contains($0) }
    }

    private static func fault(_ status: natsStatus, _ words: String, _ server: ServerChoice) -> FleetFault {
        switch status {
        case NATS_CONNECTION_AUTH_FAILED: .loginRefused(server: server.shown)
        case NATS_SSL_ERROR, NATS_SECURE_CONNECTION_REQUIRED: .tls(server: server.shown, reason: words)
        case NATS_SECURE_CONNECTION_WANTED: .tls(server: server.shown, reason: "the server does not encrypt")
        case _ where server.credentials != nil && isOfCredentials(words.lowercased()):
            .file(path: server.credentials ?? "", reason: "not a usable credentials file of NATS: \(words)")
        case _ where words.lowercased().contains("authorization"): .loginRefused(server: server.shown)
        default: .unreachable(server: server.shown, reason: words)
        }
    }
}

extension Task where Success == Void, Failure == Never {
    /// Calls `tick` four times a second, until it is cancelled.
    static func ticking(_ tick: @escaping @Sendable () -> Void) -> Task {
        Task.detached {
            while !Task<Never, Never>.isCancelled {
                tick()
                try? await Task<Never, Never>.sleep(for: .milliseconds(250))
            }
        }
    }
}

/// A message from the server.
package struct NatsMessage: Sendable {
    package var subject: String
    /// Where an answer or an acknowledgement goes.
    package var reply: String?
    package var body: [UInt8]
    /// Of a message of the server itself, e.g. 503: nothing listens to the subject; `nil`: it is a common one.
    package var status: Int?
    package var headers: [String: String]

    private static let known = [FleetFormat.header, "Description", "KV-Operation", "Nats-Msg-Id"]

    init(_ message: OpaquePointer) {
        subject = natsMsg_GetSubject(message).map { String(cString: $0) } ?? ""
        reply = natsMsg_GetReply(message).map { String(cString: $0) }
        let start = natsMsg_GetData(message)
        body = Array(
            UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : max(0, Int(natsMsg_GetDataLength(message)))))
        status = Self.header("Status", of: message).flatMap { Int($0) }
        headers = [:]
        for name in Self.known { headers[name] = Self.header(name, of: message) }
    }

    private static func header(_ name: String, of message: OpaquePointer) -> String? {
        var value: UnsafePointer<CChar>?
        guard natsMsgHeader_Get(message, name, &value) == NATS_OK else { return nil }
        return value.map { String(cString: $0) }
    }
}

/// A connection or subscription of libnats, which may be used on any thread.
struct NatsPointer: @unchecked Sendable {
    let value: OpaquePointer
}

/// A subscription, until `end` or until its connection ends.
final class NatsSubscription: Sendable {
    /// The context of the callbacks: lives until the last call.
    private final class Receiver: Sendable {
        let take: @Sendable (NatsMessage) -> Void
        init(_ take: @escaping @Sendable (NatsMessage) -> Void) { self.take = take }
    }

    /// Freed once.
    private let pointer: Mutex<NatsPointer?>

    init(_ connection: OpaquePointer, _ subject: String, _ take: @escaping @Sendable (NatsMessage) -> Void)
        throws(FleetFault)
    {
        let receiver = Unmanaged.passRetained(Receiver(take))
        var made: OpaquePointer?
        let status = natsConnection_Subscribe(
            &made, connection, subject,
            { _, _, message, context in
                guard let message, let context else { return }
                Unmanaged<Receiver>.fromOpaque(context).takeUnretainedValue().take(NatsMessage(message))
                natsMsg_Destroy(message)
            },
            receiver.toOpaque())
        guard status == NATS_OK, let made else {
            receiver.release()
            throw .closed(reason: "no subscription (\(status.rawValue))")
        }
        // A message that is dropped here would be lost, or late by the time after which the server sends it again.
        natsSubscription_SetPendingLimits(made, -1, -1)
        natsSubscription_SetOnCompleteCB(
            made, { context in context.map { Unmanaged<Receiver>.fromOpaque($0).release() } }, receiver.toOpaque())
        pointer = Mutex(NatsPointer(value: made))
    }

    func end() {
        let old = pointer.withLock { $0.take() }
        if let old { natsSubscription_Destroy(old.value) }
    }

    deinit { end() }
}

/// Requests that wait for their answers.
final class PendingReplies: Sendable {
    enum Outcome: Sendable {
        case message(NatsMessage)
        case late
        /// The connection was lost, so no answer comes.
        case lost
    }

    private struct Waiting {
        var deadline: ContinuousClock.Instant
        var take: @Sendable (Outcome) -> Void
    }

    private struct State {
        var next: UInt64 = 0
        var waiting: [UInt64: Waiting] = [:]
    }

    private let state = Mutex(State())

    /// - Returns: the number by which the answer is known.
    func add(within span: Duration, _ take: @escaping @Sendable (Outcome) -> Void) -> UInt64 {
        let deadline = ContinuousClock.now + span
        return state.withLock { state in
            state.next += 1
            state.waiting[state.next] = Waiting(deadline: deadline, take: take)
            return state.next
        }
    }

    func settle(_ number: UInt64, _ outcome: Outcome) {
        state.withLock { $0.waiting.removeValue(forKey: number) }?.take(outcome)
    }

    /// Ends those whose time is over.
    func sweep() {
        let now = ContinuousClock.now
        end(.late) { $0.deadline <= now }
    }

    func lose() { end(.lost) { _ in true } }

    private func end(_ outcome: Outcome, where isOver: (Waiting) -> Bool) {
        let ended = state.withLock { state in
            let ended = state.waiting.filter { isOver($0.value) }
            for number in ended.keys { state.waiting[number] = nil }
            return ended
        }
        for waiting in ended.values { waiting.take(outcome) }
    }
}

/// Where the server of a fleet is, and how to log in.
package struct ServerChoice: Hashable, Sendable {
    /// `nats://host:4222` or `tls://host`, several of a cluster separated by commas; a login may be in front of the host.
    package var servers: String
    package var token: String?
    /// A credentials file, with a user's JWT and seed.
    package var credentials: String?
    /// PEM files: certificates to trust, one of this machine, and its key.
    package var authorities: String?
    package var certificate: String?
    package var key: String?

    package init(_ servers: String) { self.servers = servers }

    /// The servers without their logins, for messages.
    var shown: String {
        servers.split(separator: ",").map { server in
            guard let at = server.lastIndex(of: "@") else { return String(server) }
            let scheme = server.ranges(of: "://").first.map { server[..<$0.upperBound] } ?? ""
            return String(scheme + server[server.index(after: at)...])
        }.joined(separator: ",")
    }

    var isEncrypted: Bool { authorities != nil || certificate != nil || servers.hasPrefix("tls://") }
}

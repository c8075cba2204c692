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

    private let pointer: NatsSubscription.Pointer
    private let replies: PendingReplies
    /// What the answers to this link's requests are sent to, with a dot at its end.
    private let inbox: String
    private let watch: Watch
    private let answers: NatsSubscription
    private let sweeper: Task<Void, Never>
    package let shownServer: String

    /// The C side's context: lives until the last event.
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
            guard access(path, R_OK) == 0 else { throw .file(path: path, reason: String(cString: strerror(errno))) }
            var status = stat()
            // libnats takes an empty one for none.
            if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size == 0 {
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
            winch_nats_close(connection)
            throw error
        }
        pointer = NatsSubscription.Pointer(value: connection)
        (self.replies, self.inbox, self.watch, shownServer) = (replies, inbox, watch, server.shown)
        sweeper = Task.detached {
            while !Task.isCancelled {
                try? await Task.sleep(for: .milliseconds(250))
                replies.sweep()
            }
        }
    }

    deinit {
        sweeper.cancel()
        answers.end()
        winch_nats_close(pointer.value)
    }

    /// The server's latest refusal, in its words.
    package var lastFault: String? { watch.lastFault.withLock { $0 } }
    package var isClosed: Bool { watch.isClosed.load(ordering: .acquiring) }
    /// In bytes, of a message's body.
    package var largestBody: Int { Int(winch_nats_largest_body(pointer.value)) }

    /// Sends a message; while the connection is lost it is kept, up to 32 MiB of them.
    package func publish(_ subject: String, reply: String? = nil, headers: Headers = [], _ body: [UInt8] = []) {
        let texts: [UnsafeMutablePointer<CChar>?] = headers.flatMap { [strdup($0.0), strdup($0.1)] }
        defer { texts.forEach { free($0) } }
        let pointers: [UnsafePointer<CChar>?] = texts.map { UnsafePointer($0) }
        _ = body.withUnsafeBytes { bytes in
            winch_nats_publish(
                pointer.value, subject, reply, pointers, headers.count, bytes.baseAddress, bytes.count)
        }
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
        _ = winch_nats_flush(pointer.value, Int64(span / .milliseconds(1)))
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
        var settings = winch_nats_settings()
        let texts = [
            server.servers, name, server.token, server.credentials, server.authorities, server.certificate, server.key,
        ].map { $0.flatMap { strdup($0.cBytes) } }
        defer { texts.forEach { free($0) } }
        settings.servers = UnsafePointer(texts[0])
        settings.name = UnsafePointer(texts[1])
        settings.token = UnsafePointer(texts[2])
        settings.credentials = UnsafePointer(texts[3])
        settings.authorities = UnsafePointer(texts[4])
        settings.certificate = UnsafePointer(texts[5])
        settings.key = UnsafePointer(texts[6])
        settings.tls = server.isEncrypted
        let context = Unmanaged.passRetained(watch)
        var connection: OpaquePointer?
        var reason = [CChar](repeating: 0, count: 256)
        let status = winch_nats_connect(
            &connection, &settings,
            { event, text, context in
                guard let context else { return }
                let watch = Unmanaged<Watch>.fromOpaque(context)
                let words = text.map { NatsLink.plain(String(cString: $0)) } ?? ""
                switch event {
                case WINCH_NATS_LOST: watch.takeUnretainedValue().take(.lost)
                case WINCH_NATS_BACK: watch.takeUnretainedValue().take(.back)
                case WINCH_NATS_CLOSED: watch.takeRetainedValue().take(.closed(reason: words))
                default: watch.takeUnretainedValue().take(.fault(words))
                }
            }, context.toOpaque(), &reason, reason.count)
        if status == 0, let connection { return connection }
        context.release()
        let words = String(decoding: reason.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        throw fault(UInt32(bitPattern: status), plain(words), server)
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

    private static func fault(_ status: UInt32, _ words: String, _ server: ServerChoice) -> FleetFault {
        switch status {
        case WINCH_NATS_LOGIN_REFUSED.rawValue: .loginRefused(server: server.shown)
        case WINCH_NATS_TLS_FAULT.rawValue, WINCH_NATS_TLS_REQUIRED.rawValue: .tls(server: server.shown, reason: words)
        case WINCH_NATS_TLS_UNAVAILABLE.rawValue: .tls(server: server.shown, reason: "the server does not encrypt")
        case _ where server.credentials != nil && isOfCredentials(words.lowercased()):
            .file(path: server.credentials ?? "", reason: "not a usable credentials file of NATS: \(words)")
        case _ where words.lowercased().contains("authorization"): .loginRefused(server: server.shown)
        default: .unreachable(server: server.shown, reason: words)
        }
    }
}

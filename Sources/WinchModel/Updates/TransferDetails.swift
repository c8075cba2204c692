/// Everything that is known about one transfer. Sent for the transfer of `Command.watch` whenever anything in it changed.
package struct TransferDetails: Hashable, Sendable, Codable {
    package var id: TransferID
    /// All mirrors, without logins.
    package var urls: [String]
    /// The index in `urls` of the one in use.
    package var mirror: Int
    /// The URL after the redirects of the last attempt, without a login; `nil` without redirects.
    package var location: String?
    /// From the last attempt that got a response.
    package var facts: ConnectionFacts?
    /// The local file of an upload; `nil`: it is none, or a download.
    package var source: String?
    /// The server's answer to an upload; `nil` before it came.
    package var reply: ServerReply?
    package var validator: Validator?
    /// The target folder, as given.
    package var folder: String
    /// The path of the file below the folder, or the expected path.
    package var path: String
    /// The path of the part file below the folder; `nil` when there is none.
    package var partPath: String?
    package var have: ByteCount
    package var size: SizeKnowledge
    /// The parts of the file that are on disk: positions in bytes, ascending, without overlap.
    package var ranges: [Range<Int64>]
    /// The parts of the file that were synced and survive a power loss, as in `ranges`.
    package var durable: [Range<Int64>]
    /// The expected checksums and their results; empty when none is known.
    package var checksums: [ChecksumFinding]
    package var rateLimit: ByteRate?
    /// The open connections, in the order of opening.
    package var connections: [OpenConnection]
    /// Why there are not more connections, e.g. `more did not help`; `nil`: more are tried, or not needed.
    package var connectionReason: String?
    /// The latest attempts, oldest first.
    package var attempts: [AttemptRecord]
    /// How many older attempts are no longer in `attempts`.
    package var forgottenAttempts: Int
    /// The transfer's mean rate in each of the last 120 seconds, ascending.
    package var seconds: [RateHistory.Second]

    package init(
        id: TransferID, urls: [String], mirror: Int = 0, location: String? = nil, facts: ConnectionFacts? = nil,
        reply: ServerReply? = nil, validator: Validator? = nil, folder: String, path: String, partPath: String? = nil,
        have: ByteCount = .zero, size: SizeKnowledge, ranges: [Range<Int64>] = [], durable: [Range<Int64>] = [],
        checksums: [ChecksumFinding] = [],
        rateLimit: ByteRate? = nil, connections: [OpenConnection] = [], connectionReason: String? = nil,
        attempts: [AttemptRecord] = [], forgottenAttempts: Int = 0, seconds: [RateHistory.Second] = []
    ) {
        (self.id, self.urls, self.mirror, self.location) = (id, urls, mirror, location)
        (self.facts, self.reply, self.validator, self.folder) = (facts, reply, validator, folder)
        (self.path, self.partPath, self.have, self.size) = (path, partPath, have, size)
        (self.ranges, self.durable, self.checksums) = (ranges, durable, checksums)
        (self.rateLimit, self.connections, self.connectionReason) = (rateLimit, connections, connectionReason)
        (self.attempts, self.forgottenAttempts, self.seconds) = (attempts, forgottenAttempts, seconds)
    }

    /// The URL in use, without a login.
    package var url: String { urls.indices.contains(mirror) ? urls[mirror] : urls.first ?? "" }

    /// The folder that contains the file, including the folders in `path`.
    package var place: String {
        let parts = path.utf8.split(separator: UInt8(ascii: "/")).dropLast()
        return Self.joined(folder, parts.map { String(Substring($0)) }.joined(separator: "/"))
    }

    /// `folder/name`, with one slash between; either may be empty.
    package static func joined(_ folder: String, _ path: String) -> String {
        if folder.isEmpty || path.isEmpty { return folder + path }
        return folder.utf8.last == UInt8(ascii: "/") ? folder + path : folder + "/" + path
    }
}

/// How an attempt ended.
package enum AttemptOutcome: Hashable, Sendable, Codable {
    case running
    /// The whole body was received.
    case complete
    case paused
    case cancelled
    /// Winch quit or was killed during the attempt.
    case interrupted
    case failed(TransferFailure)
}

/// An attempt of this process.
package typealias AttemptRecord = Attempt<Moment>

/// An attempt in calendar time, for the ledger.
package typealias StoredAttempt = Attempt<UnixTime>

/// One attempt of a transfer, which is one connection: its time, host, bytes and outcome.
package struct Attempt<Time: Hashable & Sendable>: Hashable, Sendable {
    /// Counted from 1 over all runs.
    package var number: Int
    /// The server as `host`, or `host:port` when the port is not the scheme's default.
    package var host: String
    package var began: Time
    /// `nil` while the attempt runs, and when the time is not known because an earlier run was killed.
    package var ended: Time?
    /// Bytes on disk at which the attempt started.
    package var from: ByteCount
    /// Bytes on disk at its end; while it runs, now.
    package var have: ByteCount
    package var outcome: AttemptOutcome

    package init(
        number: Int, host: String, began: Time, ended: Time? = nil, from: ByteCount = .zero,
        have: ByteCount = .zero, outcome: AttemptOutcome = .running
    ) {
        (self.number, self.host, self.began, self.ended) = (number, host, began, ended)
        (self.from, self.have, self.outcome) = (from, have, outcome)
    }

    /// Bytes that the attempt added; zero when it ended with fewer than it started with.
    package var moved: ByteCount { max(.zero, have - from) }
}

extension Attempt: Codable where Time: Codable {}

/// An open connection of a transfer, as the details list it.
package struct OpenConnection: Hashable, Sendable, Codable {
    package enum Phase: Hashable, Sendable, Codable {
        /// It is being opened, or asks for its next part of the file.
        case connecting
        /// The request has been sent; the first byte of the response has not arrived.
        case requested
        case moving
        /// The body of an upload has been sent; the response has not arrived.
        case replying
    }

    /// Counts the connections of the transfer from 1.
    package var number: Int
    /// Positions in the file of the bytes that it is still to bring; `nil`: all that are missing, or the size is unknown.
    package var range: Range<Int64>?
    /// `nil` before one is known; 0 while it is stalled.
    package var rate: ByteRate?
    /// The server of its URL as in `TransferSnapshot.host`.
    package var host: String
    package var began: Moment
    package var phase: Phase

    package init(
        number: Int, range: Range<Int64>? = nil, rate: ByteRate? = nil, host: String, began: Moment, phase: Phase
    ) {
        (self.number, self.range, self.rate) = (number, range, rate)
        (self.host, self.began, self.phase) = (host, began, phase)
    }
}

/// What is known about the connection of an attempt, and about the head of its response.
///
/// The text comes from the server: the front end must escape it before it is shown.
package struct ConnectionFacts: Hashable, Sendable, Codable {
    /// The IP address of the server, or of the proxy; empty when not known.
    package var address: String
    /// 0 when not known.
    package var port: Int
    /// `HTTP/1.1`, `HTTP/2`, `FTP`, `SFTP`.
    package var protocolName: String
    /// `TLSv1.3`; `nil` without TLS, and when the TLS library does not report it.
    package var tlsVersion: String?
    /// `TLS_AES_256_GCM_SHA384`; `nil` as for `tlsVersion`.
    package var tlsCipher: String?
    /// The HTTP status; 0 for protocols without one.
    package var status: Int
    /// Only the fields of `HeaderField.recorded`.
    package var headers: [HeaderField]
    /// Identifies the version of the file; `nil` when the response has none that is strong enough.
    package var validator: Validator?

    package init(
        address: String, port: Int, protocolName: String, tlsVersion: String? = nil, tlsCipher: String? = nil,
        status: Int = 0, headers: [HeaderField] = [], validator: Validator? = nil
    ) {
        (self.address, self.port, self.protocolName, self.tlsVersion) = (address, port, protocolName, tlsVersion)
        (self.tlsCipher, self.status, self.headers, self.validator) = (tlsCipher, status, headers, validator)
    }
}

/// One field of a response's head. The value is as sent, cut to `longest` bytes.
package struct HeaderField: Hashable, Sendable, Codable {
    /// In lower case.
    package var name: String
    package var value: String

    package init(name: String, value: String) { (self.name, self.value) = (name, value) }

    /// The fields that are recorded and shown; no cookies and no logins. Lower case.
    package static let recorded = [
        "server", "content-type", "content-length", "content-range", "accept-ranges", "etag", "last-modified",
        "content-disposition", "content-encoding", "transfer-encoding", "retry-after", "via",
    ]

    /// The longest value that is kept, in bytes: a server may send a quarter of a megabyte, and the details have no space for
    /// more.
    package static let longest = 256
}

/// A server's answer to an upload. All texts come from the server: the front end must escape them before they are shown.
package struct ServerReply: Hashable, Sendable, Codable {
    /// The HTTP status; 0 for protocols without one.
    package var status: Int
    /// The header field `Location`, without a login: where the uploaded file is, or what was made of it.
    package var location: String?
    /// The body, its first `longest` bytes as UTF-8.
    package var text: String
    /// The body was longer.
    package var isCut: Bool

    package init(status: Int, location: String? = nil, text: String = "", isCut: Bool = false) {
        (self.status, self.location, self.text, self.isCut) = (status, location, text, isCut)
    }

    /// The status in words.
    package var reason: String { HTTPStatus.words(status) }

    /// 64 KiB, in bytes.
    package static let longest = 64 << 10
}

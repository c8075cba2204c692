/// What is known about the connection of an attempt, and about the head of its response.
///
/// The text comes from the server: the front end must escape it before it is shown.
public struct ConnectionFacts: Hashable, Sendable, Codable {
    /// The IP address of the server, or of the proxy; empty when not known.
    public var address: String
    /// 0 when not known.
    public var port: Int
    /// `HTTP/1.1`, `HTTP/2`, `FTP`, `SFTP`.
    public var protocolName: String
    /// `TLSv1.3`; `nil` without TLS, and when the TLS library does not report it.
    public var tlsVersion: String?
    /// `TLS_AES_256_GCM_SHA384`; `nil` as for `tlsVersion`.
    public var tlsCipher: String?
    /// The HTTP status; 0 for protocols without one.
    public var status: Int
    /// Only the fields of `HeaderField.telling`.
    public var headers: [HeaderField]
    /// Identifies the version of the file; `nil` when the response has none that is strong enough.
    public var validator: Validator?

    public init(
        address: String, port: Int, protocolName: String, tlsVersion: String? = nil, tlsCipher: String? = nil,
        status: Int = 0, headers: [HeaderField] = [], validator: Validator? = nil
    ) {
        self.address = address
        self.port = port
        self.protocolName = protocolName
        self.tlsVersion = tlsVersion
        self.tlsCipher = tlsCipher
        self.status = status
        self.headers = headers
        self.validator = validator
    }
}

/// One field of a response's head. The value is as sent, cut to `longest` bytes.
public struct HeaderField: Hashable, Sendable, Codable {
    /// In lower case.
    public var name: String
    public var value: String

    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    /// The fields that are recorded and shown; no cookies and no logins. Lower case.
    public static let telling = [
        "server", "content-type", "content-length", "content-range", "accept-ranges", "etag", "last-modified",
        "content-disposition", "content-encoding", "transfer-encoding", "retry-after", "via",
    ]

    /// The longest value that is kept, in bytes: a server may send a quarter of a megabyte, and the details have no space for
    /// more.
    public static let longest = 256
}

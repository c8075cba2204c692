/// What is known of the connection that an attempt uses, and of the head of its answer.
///
/// Text comes from the server: a face escapes it before showing.
public struct ConnectionFacts: Hashable, Sendable, Codable {
    /// The other end's IP address, or the proxy's; empty when not known.
    public var address: String
    /// 0 when not known.
    public var port: Int
    /// `HTTP/1.1`, `HTTP/2`, `FTP`, `SFTP`.
    public var protocolName: String
    /// `TLSv1.3`; `nil` without TLS, or where the library does not say.
    public var tlsVersion: String?
    /// `TLS_AES_256_GCM_SHA384`.
    public var tlsCipher: String?
    /// 0 for protocols without one.
    public var status: Int
    /// Those that matter for a download, in the order of `HeaderField.telling`.
    public var headers: [HeaderField]
    /// What tells this version of the file from another.
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

/// One field of an answer's head, as sent.
public struct HeaderField: Hashable, Sendable, Codable {
    /// In lower case.
    public var name: String
    public var value: String

    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    /// The fields worth showing; cookies and logins are not among them.
    public static let telling = [
        "server", "content-type", "content-length", "content-range", "accept-ranges", "etag", "last-modified",
        "content-disposition", "content-encoding", "transfer-encoding", "retry-after", "via",
    ]

    /// Longer values are cut: nobody reads on, and a server may send a quarter of a megabyte.
    public static let longest = 256
}

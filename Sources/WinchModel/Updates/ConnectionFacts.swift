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
package struct HeaderField: Hashable, Sendable, Codable {
    /// In lower case.
    package var name: String
    package var value: String

    package init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    /// The fields that are recorded and shown; no cookies and no logins. Lower case.
    package static let recorded = [
        "server", "content-type", "content-length", "content-range", "accept-ranges", "etag", "last-modified",
        "content-disposition", "content-encoding", "transfer-encoding", "retry-after", "via",
    ]

    /// The longest value that is kept, in bytes: a server may send a quarter of a megabyte, and the details have no space for
    /// more.
    package static let longest = 256
}

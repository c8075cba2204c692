import FoundationEssentials
import Hashing

/// A user and password as `Authorization: Basic` carries them (RFC 7617).
struct BasicCredentials: Equatable, Sendable {
    let user: String
    let password: String

    func match(_ request: ReceivedRequest, isDigest: Bool) -> Bool {
        let authorization = request.header("Authorization")
        if isDigest { return DigestLogin(authorization)?.proves(self, method: request.method) ?? false }
        guard let parts = authorization?.split(separator: " ", maxSplits: 1), parts.count == 2 else { return false }
        return parts[0].lowercased() == "basic" && parts[1] == Data("\(user):\(password)".utf8).base64EncodedString()
    }
}

/// The answer to a Digest challenge, with MD5 and the quality of protection `auth`.
///
/// - Source: RFC 7616, section 3.4.
struct DigestLogin {
    private var fields: [String: String] = [:]

    private static let realm = "fault server"
    private static let nonce = "a nonce that never changes"
    static let challenge = "Digest realm=\"\(realm)\", nonce=\"\(nonce)\", qop=\"auth\", algorithm=MD5"

    /// - Parameter authorization: `Digest username="alice", realm=...`; `nil` for any other scheme.
    init?(_ authorization: String?) {
        guard let parts = authorization?.split(separator: " ", maxSplits: 1), parts.count == 2,
            parts[0].lowercased() == "digest"
        else { return nil }
        for field in parts[1].split(separator: ",") {
            let pair = field.split(separator: "=", maxSplits: 1)
            guard pair.count == 2 else { continue }
            let value = pair[1].drop { $0 == "\"" }
            fields[String(pair[0].drop { $0 == " " })] = String(value.last == "\"" ? value.dropLast() : value)
        }
    }

    func proves(_ credentials: BasicCredentials, method: String) -> Bool {
        guard fields["username"] == credentials.user, fields["realm"] == Self.realm, fields["nonce"] == Self.nonce,
            let uri = fields["uri"], let count = fields["nc"], let clientNonce = fields["cnonce"]
        else { return false }
        let secret = Self.hash("\(credentials.user):\(Self.realm):\(credentials.password)")
        let request = Self.hash("\(method):\(uri)")
        return fields["response"] == Self.hash("\(secret):\(Self.nonce):\(count):\(clientNonce):auth:\(request)")
    }

    private static func hash(_ text: String) -> String {
        HashFunction.md5.hash(Array(text.utf8)).hex
    }
}

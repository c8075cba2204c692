import FoundationEssentials

/// A user and password as `Authorization: Basic` carries them (RFC 7617).
struct BasicCredentials: Equatable, Sendable {
    let user: String
    let password: String

    func match(_ request: ReceivedRequest, isDigest: Bool) -> Bool {
        let authorization = request.header("Authorization")
        guard isDigest else { return match(authorization) }
        return DigestLogin(authorization)?.proves(self, method: request.method) ?? false
    }

    func match(_ authorization: String?) -> Bool {
        guard let parts = authorization?.split(separator: " ", maxSplits: 1), parts.count == 2 else { return false }
        return parts[0].lowercased() == "basic" && parts[1] == token
    }

    private var token: String { Data("\(user):\(password)".utf8).base64EncodedString() }
}

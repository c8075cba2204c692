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

    /// Base64 of `user:password` in UTF-8.
    private var token: String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        let source = Array("\(user):\(password)".utf8)
        var result: [UInt8] = []
        for start in stride(from: 0, to: source.count, by: 3) {
            let group = source[start..<min(start + 3, source.count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for position in 0..<4 {
                result.append(position <= group.count ? alphabet[bits >> (18 - 6 * position) & 63] : UInt8(ascii: "="))
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}

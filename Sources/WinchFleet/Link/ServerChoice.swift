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
            let scheme = server.range(of: "://").map { server[..<$0.upperBound] } ?? ""
            return String(scheme + server[server.index(after: at)...])
        }.joined(separator: ",")
    }

    var isEncrypted: Bool { authorities != nil || certificate != nil || servers.hasPrefix("tls://") }
}

extension StringProtocol {
    fileprivate func range(of part: String) -> Range<Index>? { ranges(of: part).first }
}

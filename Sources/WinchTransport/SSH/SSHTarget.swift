import CTransport
import Hashing
import WinchModel
import WinchSSH

/// One SSH server as one transfer reaches it.
struct SSHTarget {
    struct Key {
        var path: String
        /// With `~`.
        var shown: String
        var isEncrypted: Bool
        var isRSA: Bool
        var passphrase: Secret?

        var isUsable: Bool { !isEncrypted || passphrase != nil }
    }

    /// With the real host and port, without a login.
    var url: TransferURL
    var user: String
    var password: String?
    /// As known_hosts names it.
    var name: String
    /// Files that exist, in the order in which they are tried.
    var keys: [Key]
    /// The files that exist, the user's first.
    var knownHosts: [(path: String, file: KnownHosts)]
    /// One of the files is there but could not be read: it may have another key, or revoke the server's.
    var unreadableKnownHosts: TransferFailure?
    /// The user's own, which may not exist yet; `nil`: there is to be none.
    var knownHostsFile: String?
    /// ssh_config wants another host or program in between.
    var usesProxy: Bool
    /// Of ssh_config.
    var problems: [String]

    private static func hidden(_ salt: [UInt8], _ name: String) -> [UInt8] {
        HashFunction.hmacSHA1(key: salt, Array(name.utf8))
    }

    /// A line that revokes the key counts more than one that has it, and that more than one with another key. A file that
    /// cannot be read may have any of them.
    ///
    /// - Returns: `nil`: the key is trusted; else the key, which is unknown.
    /// - Throws: why the key is refused.
    func judge(_ key: SSHHostKey, bytes: [UInt8]) throws(TransferFailure) -> SSHHostKey? {
        var isTrusted = false
        var key = key
        var changed: (file: String, line: Int)?
        for (path, file) in knownHosts {
            switch file.verdict(on: bytes, type: key.type, of: name, hash: Self.hidden) {
            case .trusted: isTrusted = true
            case .revoked(let line): throw .hostKeyRevoked(key, file: path, line: line)
            case .changed(let line): changed = changed ?? (path, line)
            case .unknown(let hasOtherType): key.hasOtherType = key.hasOtherType || hasOtherType
            }
        }
        if let unreadableKnownHosts { throw unreadableKnownHosts }
        if isTrusted { return nil }
        if let changed { throw .hostKeyChanged(key, file: changed.file, line: changed.line) }
        return key
    }

    var knownTypes: Set<String> {
        Set(knownHosts.flatMap { $0.file.types(of: name, hash: Self.hidden) })
    }
}

/// The ways to log in that one connection tries: libcurl takes one key file for each.
struct SSHLoginStep {
    var key: SSHTarget.Key?
    /// Bits of `WINCH_SSH_...`.
    var methods: Int

    /// - Parameter firstKey: the key file that another transfer logged in with at this server.
    static func all(for target: SSHTarget, hasAgent: Bool, firstKey: String?) -> [SSHLoginStep] {
        let usable = target.keys.filter(\.isUsable)
        // A key that the user has just unlocked is most likely the one that the server accepts.
        var keys = usable.filter { $0.passphrase != nil } + usable.filter { $0.passphrase == nil }
        if let index = keys.firstIndex(where: { $0.path == firstKey }) { keys.insert(keys.remove(at: index), at: 0) }
        // Everything that needs no further connection is tried in the first.
        var methods = keys.isEmpty ? 0 : Int(WINCH_SSH_KEY)
        if hasAgent { methods |= Int(WINCH_SSH_AGENT) }
        if target.password != nil { methods |= Int(WINCH_SSH_PASSWORD) | Int(WINCH_SSH_KEYBOARD) }
        return [SSHLoginStep(key: keys.first, methods: methods)]
            + keys.dropFirst().map { SSHLoginStep(key: $0, methods: Int(WINCH_SSH_KEY)) }
    }
}

struct SSHRequest: Hashable {
    var user: String
    var password: String?
    var keyFile: String?
    var passphrase: Secret?
    /// Bits of `WINCH_SSH_...`.
    var methods: Int
    /// A known_hosts file of one line, from which libcurl takes the type of key that it asks the server for; `nil`: any.
    var wantedType: String?
    /// The user's known_hosts, where libcurl decides by itself; `nil`: any key will do.
    var knownHosts: String?
    /// What the server's key is accepted by besides known_hosts; `nil`: nothing. Requests share a connection only if it is the
    /// same, because a kept connection is not asked for its key again.
    var trust: String?
}

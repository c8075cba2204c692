import CTransport

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

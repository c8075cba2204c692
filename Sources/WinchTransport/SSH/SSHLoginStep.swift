import CTransport
import WinchCore

/// The ways to log in that one connection tries: libcurl takes one key file for each.
struct SSHLoginStep {
    var key: SSHTarget.Key?
    /// Bits of `WINCH_SSH_...`.
    var methods: Int

    /// - Parameter firstKey: what worked for another file of the server.
    static func all(for target: SSHTarget, hasAgent: Bool, firstKey: String?) -> [SSHLoginStep] {
        let usable = target.keys.filter(\.isUsable)
        // What was unlocked a moment ago is what the server wants.
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

/// The library below libcurl.
enum SSHLibrary {
    /// `libssh2/1.10.0`.
    static var version: String { winch_ssh_version().map { String(cString: $0) } ?? "" }

    /// libssh2 before 1.11 knows RSA with SHA-1 only, which OpenSSH refuses since 8.8.
    static var signsWithSHA1: Bool {
        let parts = version.split(separator: "/")
        guard parts.count == 2, parts[0] == "libssh2" else { return false }
        let numbers = parts[1].split(separator: ".").compactMap { Int($0) }
        return numbers.count >= 2 && (numbers[0], numbers[1]) < (1, 11)
    }
}

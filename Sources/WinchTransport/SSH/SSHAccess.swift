import CTransport
import Glibc
import Hashing
import WinchModel
import WinchSSH

/// How one transfer gets into an SSH server: which type of host key is asked for, whether the key is trusted, and which of
/// the user's keys are tried, one connection after the other. Used on the loop's thread only.
final class SSHAccess {
    /// What comes after a connection that did not get in.
    enum Reaction: Equatable {
        case again
        case failed(TransferFailure)
        /// It got in, or failed for a reason that has nothing to do with SSH.
        case none
    }

    /// What got into a server the last time.
    struct Learned {
        var type: String?
        var key: String?
    }

    let target: SSHTarget
    let home: SSHHome
    private let agent: SSHAgent
    /// Of the URL that the user gave: ssh_config may lead to another host and port.
    private let origin: String
    private let settings: TransferSettings
    private let now: Moment
    /// Types of host keys, in the order in which they are asked for; `nil`: whatever the server has.
    private var types: [String?]
    private var steps: [SSHLoginStep]
    private var typeFile: Descriptor?
    private var refusal: TransferFailure?
    /// The first key that no fingerprint fits.
    private var firstUnknown: TransferFailure?
    private var serversMethods: Set<Substring>?
    private var hasWrongPassphrase = false
    private var hasSucceeded = false
    private var couldNotClose = false
    /// The connection ended while the server was to answer to a key.
    private var isLoginCut = false

    /// What libssh2 knows and is not broken, the best first.
    private static let hostKeyTypes = [
        "ssh-ed25519", "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521", "ssh-rsa",
    ]

    /// - Throws: when it is known already that it would fail.
    init(
        _ url: TransferURL, _ settings: TransferSettings, _ home: SSHHome, at now: Moment
    ) throws(TransferFailure) {
        self.home = home
        origin = url.origin
        self.settings = settings
        self.now = now
        target = try home.target(of: url, settings)
        agent = target.refusesAgent ? SSHAgent() : home.agent(at: now)
        let learned = home.learned(of: target.name)
        types = Self.types(for: target, settings, home)
        steps = SSHLoginStep.all(for: target, hasAgent: agent.isUsable, firstKey: learned?.key)
        if let type = learned?.type, let index = types.firstIndex(of: type) {
            types.insert(types.remove(at: index), at: 0)
        }
        if let failure = home.refusal(of: target.name, at: now), !isResolved(failure) { throw failure }
        chooseType()
    }

    /// The next connection.
    var request: SSHRequest {
        let step = steps.first
        return SSHRequest(
            user: target.user, password: target.password, keyFile: step?.key?.path, passphrase: step?.key?.passphrase,
            methods: step?.methods ?? 0, wantedType: typeFile.map { "/proc/self/fd/\($0.number)" },
            knownHosts: settings.isInsecure ? nil : target.knownHostsFile ?? "/dev/null", trust: trust)
    }

    private var trust: String? {
        if settings.isInsecure { return "insecure" }
        return settings.hostKeys.isEmpty ? nil : settings.hostKeys.sorted().joined(separator: " ")
    }

    /// libcurl asks whether the server's key is the right one.
    func accepts(_ bytes: [UInt8]) -> Bool {
        if settings.isInsecure { return true }
        let sha256 = HashFunction.sha256.hash(bytes)
        guard let key = SSHHostKey(host: target.name, bytes: bytes, sha256: sha256) else { return false }
        if settings.hostKeys.contains(key.fingerprint) || home.isTrusted(key) { return true }
        do throws(TransferFailure) {
            guard let unknown = try target.judge(key, bytes: bytes) else { return true }
            // A host that is known by another key is not new.
            if settings.acceptsNewHostKeys, !unknown.hasOtherType {
                home.trust(unknown, remembering: true)
                return true
            }
            refusal = .hostKeyUnknown(unknown)
        } catch {
            refusal = error
        }
        return false
    }

    /// One of libcurl's lines about the connection.
    func receivedLogLine(_ words: String) {
        if let range = words.utf8.firstRange(of: "authentication methods available: ".utf8) {
            let list = words[range.upperBound...].prefix { !$0.isWhitespace }
            serversMethods = Set(list.split(separator: ","))
        }
        if words.hasPrefix("Failed to close libssh2 file") { couldNotClose = true }
        if words.hasPrefix("Using SSH public key") { isLoginCut = false }
        guard words.hasPrefix("SSH public key authentication failed") else { return }
        if words.utf8.firstRange(of: "USERAUTH response".utf8) != nil { isLoginCut = true }
        // libssh2 says the same of a damaged file, but this one was read before.
        let isUnreadable = ["rong passphrase", "nable to extract public key", "nable to initialize private key"]
            .contains { words.utf8.firstRange(of: $0.utf8) != nil }
        if isUnreadable, steps.first?.key?.passphrase != nil { hasWrongPassphrase = true }
    }

    /// The login is done.
    func succeeded() {
        guard !hasSucceeded else { return }
        hasSucceeded = true
        home.learn(Learned(type: types.first ?? nil, key: steps.first?.key?.path), of: target.name)
    }

    /// libcurl has one code for a connection that has ended and for a server that says "failure" while it writes; but when the
    /// connection has ended, the file cannot be closed, and to open or rename one has no status of SFTP: `Upload failed: ...
    /// (0/-43)`, `rename command failed: Unknown error in libssh2`.
    ///
    /// - Parameter words: libcurl's, of a request with that code.
    func isCut(_ words: String) -> Bool {
        couldNotClose
            || ["(0/-", "command failed: Unknown error"].contains { words.utf8.firstRange(of: $0.utf8) != nil }
    }

    /// Why an accepted key is not in known_hosts; returned once.
    func takeSaveFailure() -> String? { home.takeSaveFailure(of: target.name) }

    /// The connection has ended before a file could be asked for. libcurl takes that for a refusal of the login, or for a server
    /// that has no SFTP; one that has none says so.
    private func isLost(after code: CurlCode, _ words: String) -> Bool {
        func says(_ part: String) -> Bool { words.utf8.firstRange(of: part.utf8) != nil }
        return switch code {
        case .loginDenied: isLoginCut
        // -5: no key exchange, or no type of host key, that both sides know.
        case .failedInit where says("sftp session"): !says("SFTP subsystem")
        case .failedInit: says("ssh session") && !says("session: -5,")
        case .ssh: !hasSucceeded && !says("session: -5,")
        default: false
        }
    }

    /// - Parameter words: libcurl's.
    func reaction(after code: CurlCode, _ words: String) -> Reaction {
        if isLost(after: code, words) { return .failed(.connectionLost(words)) }
        guard code != .ok, !hasSucceeded else { return .none }
        switch code {
        case .peerNotVerified: return reactionToHostKey()
        case .failedInit, .ssh:
            guard words.utf8.firstRange(of: "ssh session".utf8) != nil else { return .none }
            return turnToNextType()
                ?? .failed(firstUnknown ?? .tls("no SSH method in common with the server (\(words))"))
        case .loginDenied: return reactionToLogin()
        case .hostNotFound, .couldNotConnect:
            guard target.usesProxy else { return .none }
            let reason = "~/.ssh/config names a ProxyJump or ProxyCommand for it, which winch does not use"
            return .failed(.unreachable(host: target.url.hostAndPort, reason: reason))
        default: return .none
        }
    }
}

// MARK: - Host keys

extension SSHAccess {
    private static func types(for target: SSHTarget, _ settings: TransferSettings, _ home: SSHHome) -> [String?] {
        if settings.isInsecure { return [nil] }
        let known = target.knownTypes.union(home.trustedTypes(of: target.name))
        let inOrder = hostKeyTypes.filter { known.contains($0) }
        if !settings.hostKeys.isEmpty { return inOrder + hostKeyTypes.filter { !known.contains($0) } }
        // A server may have keys of other types only: then its key is unknown, which is said.
        return (inOrder.isEmpty ? [hostKeyTypes[0]] : inOrder) + [nil]
    }

    private func isResolved(_ failure: TransferFailure) -> Bool {
        switch failure {
        case .hostKeyUnknown(let key):
            guard settings.hostKeys.isEmpty, !settings.isInsecure, !settings.acceptsNewHostKeys else { return true }
            return home.isTrusted(key) || target.knownTypes.contains(key.type)
        case .keyLocked(let file, _):
            return target.password != nil || !target.keys.contains { $0.path == file && !$0.isUsable }
        default: return true
        }
    }

    private func reactionToHostKey() -> Reaction {
        guard let failure = refusal else { return .none }
        refusal = nil
        guard case .hostKeyUnknown = failure else { return .failed(failure) }
        let first = firstUnknown ?? failure
        firstUnknown = first
        // The fingerprint may be that of a key of another type.
        if !settings.hostKeys.isEmpty, let next = turnToNextType() { return next }
        home.note(first, of: target.name, at: now)
        return .failed(first)
    }

    private func turnToNextType() -> Reaction? {
        guard types.count > 1 else { return nil }
        types.removeFirst()
        chooseType()
        return .again
    }

    /// libcurl takes the type of host key that it asks for from the first line that fits in known_hosts. A hashed name
    /// fits every host there.
    private func chooseType() {
        typeFile = nil
        guard let type = types.first ?? nil else { return }
        let number = winch_open_in_memory("known_hosts")
        guard number >= 0 else { return }
        let file = Descriptor(number)
        let none = String(repeating: "A", count: 27) + "="
        let line = Array("|1|\(none)|\(none) \(type) \(none)\n".utf8)
        if write(file.number, line, line.count) == line.count { typeFile = file }
    }
}

// MARK: - The login

extension SSHAccess {
    private func reactionToLogin() -> Reaction {
        if hasWrongPassphrase, let key = steps.first?.key {
            home.forgetPassphrase(of: key.path)
            return .failed(.keyLocked(key.path, isWrong: true))
        }
        if steps.count > 1 {
            steps.removeFirst()
            return .again
        }
        let takesKeys = serversMethods?.contains("publickey") ?? true
        if takesKeys, let locked = target.keys.first(where: { !$0.isUsable }) {
            let failure = TransferFailure.keyLocked(locked.path, isWrong: false)
            home.note(failure, of: target.name, at: now)
            return .failed(failure)
        }
        let passwordMethods: Set<Substring> = ["password", "keyboard-interactive"]
        let takesPasswords = serversMethods.map { !$0.isDisjoint(with: passwordMethods) } ?? true
        let user = settings.isLoginTyped == true ? nil : target.user
        return .failed(
            .loginRefused(origin: takesPasswords ? origin : nil, user: user, details: refusalWords(of: user)))
    }

    /// The user and host, the logins that were tried, those that the server accepts, and the options that may help.
    ///
    /// - Parameter user: `nil`: not to be named.
    private func refusalWords(of user: String?) -> String {
        var tried = target.keys.filter(\.isUsable).map { "the key \($0.shown)" }
        if agent.isUsable { tried.append("the agent's keys") }
        if target.password != nil { tried.append("the password") }
        var words = "\(user.map { "\($0)@" } ?? "")\(target.name); tried "
        words += tried.isEmpty ? "nothing: there is no key, agent or password" : tried.joined(separator: ", ")
        if let serversMethods, !serversMethods.isEmpty {
            words += "; the server takes \(serversMethods.sorted().joined(separator: ", "))"
        }
        if target.keys.contains(where: { $0.isRSA && $0.isUsable }), SSHLibrary.signsWithSHA1 {
            words += "; most servers refuse RSA keys from \(SSHLibrary.version), use an Ed25519 key"
        }
        words += "; another user: sftp://USER@HOST/, another key: --key FILE"
        return ([words] + target.problems + [agent.problem].compactMap(\.self)).joined(separator: "; ")
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
    /// ssh_config does not let the agent be asked.
    var refusesAgent: Bool
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

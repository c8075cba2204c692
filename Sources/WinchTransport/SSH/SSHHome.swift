import Glibc
import Synchronization
import WinchModel
import WinchSSH

/// The user's SSH files, and what this run has learned of servers. Used by all threads of the transport: a key that one of
/// them has accepted, or could not use, is not asked about again on another.
final class SSHHome: Sendable {
    private let state: Mutex<SSHHomeState>

    /// After this a failed transfer that is tried again connects: the user may have changed something meanwhile.
    private static let refusalSpan = Duration.seconds(10)

    /// - Parameter folder: the user's home folder; `nil`: as the environment names it.
    init(folder: String? = nil) { state = Mutex(SSHHomeState(home: folder)) }

    /// Joins the address, the transfer's settings and ssh_config.
    func target(of url: TransferURL, _ settings: TransferSettings) throws(TransferFailure) -> SSHTarget {
        try state.withLock { (state) throws(TransferFailure) in try state.target(of: url, settings) }
    }

    /// Asked at most once in ten seconds: keys may be added to it. An agent that hangs holds up the others each time.
    func agent(at now: Moment) -> SSHAgent { state.withLock { $0.agent(at: now) } }

    func learned(of name: String) -> SSHAccess.Learned? { state.withLock { $0.learned[name] } }

    func learn(_ learned: SSHAccess.Learned, of name: String) { state.withLock { $0.learned[name] = learned } }

    func isTrusted(_ key: SSHHostKey) -> Bool { state.withLock { $0.isTrusted(key) } }

    func trustedTypes(of name: String) -> [String] {
        state.withLock { $0.trusted.filter { $0.host == name }.map(\.type) }
    }

    func trust(_ key: SSHHostKey, remembering: Bool) { state.withLock { $0.trust(key, remembering: remembering) } }

    /// Why an accepted key could not be remembered; returned once.
    func takeSaveFailure(of name: String) -> String? { state.withLock { $0.saveFailures.removeValue(forKey: name) } }

    func unlock(_ file: String, _ passphrase: Secret) {
        state.withLock { state in
            state.passphrases[file] = passphrase
            state.refusals = state.refusals.filter { if case .keyLocked = $0.value.failure { false } else { true } }
        }
    }

    func forgetPassphrase(of file: String) { state.withLock { $0.passphrases[file] = nil } }

    /// The user's answer is due: the next connection to the server would fail in the same way.
    func note(_ failure: TransferFailure, of name: String, at now: Moment) {
        state.withLock { $0.refusals[name] = (failure, now) }
    }

    func refusal(of name: String, at now: Moment) -> TransferFailure? {
        state.withLock { $0.refusals[name].flatMap { now - $0.at < Self.refusalSpan ? $0.failure : nil } }
    }
}

private struct SSHHomeState {
    private let home: String
    private let localUser: String
    private var knownHosts: [String: (file: SmallFile, parsed: KnownHosts)] = [:]
    private var config: (files: [String: SmallFile], parsed: SSHConfig)?
    var trusted: [SSHHostKey] = []
    /// Those that were added to known_hosts. Two threads may meet the same new server, or carry out the same order.
    private var remembered: [SSHHostKey] = []
    var passphrases: [String: Secret] = [:]
    /// What connections failed for, by server: the other transfers of the server need not connect to fail in the same way.
    var refusals: [String: (failure: TransferFailure, at: Moment)] = [:]
    /// Where a key is remembered that the user accepts, by server; `nil`: nowhere, as ssh_config has it.
    private var knownHostsPath: [String: String?] = [:]
    /// Why accepted keys are not in known_hosts, by server.
    var saveFailures: [String: String] = [:]
    var learned: [String: SSHAccess.Learned] = [:]
    private var agent: (found: SSHAgent, until: Moment)?

    private static let agentSpan = Duration.seconds(10)

    init(home given: String?) {
        let entry = getpwuid(getuid())?.pointee
        let accountHome = entry.flatMap { $0.pw_dir.map { String(systemC: $0) } }
        home = given ?? Self.variable("HOME") ?? accountHome ?? "/"
        localUser = entry.flatMap { $0.pw_name.map { String(cString: $0) } } ?? Self.variable("USER") ?? ""
    }

    mutating func agent(at now: Moment) -> SSHAgent {
        if let agent, now < agent.until { return agent.found }
        let found = Self.variable("SSH_AUTH_SOCK").map(SSHAgent.init(socket:)) ?? SSHAgent()
        agent = (found, now + Self.agentSpan)
        return found
    }

    static func variable(_ name: String) -> String? {
        getenv(name).map { String(systemC: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
}

// MARK: - Host and login

extension SSHHomeState {
    mutating func target(of url: TransferURL, _ settings: TransferSettings) throws(TransferFailure) -> SSHTarget {
        let config = sshConfig()
        let written = url.hostWithoutBrackets
        let own = config.settings(for: written)
        let login = url.login
        let user = login.flatMap { $0.user.isEmpty ? nil : $0.user } ?? settings.user ?? own.user ?? localUser
        let port = url.port ?? own.port ?? 22
        var tokens = SSHTokens(
            home: home, localUser: localUser, originalHost: written, host: written, port: port, user: user)
        let host = own.hostName.map(tokens.expanded) ?? written
        tokens.host = host
        guard let moved = url.moved(toHost: host, port: port) else {
            throw .other("~/.ssh/config: HostName \(host) is no host")
        }
        let name = own.hostKeyAlias.map { $0.lowercased() } ?? KnownHosts.name(ofHost: host, port: port)
        let (folder, values) = (home, tokens)
        func path(_ text: String) -> String { values.path(text) { $0 == "HOME" ? folder : Self.variable($0) } }
        let hostFiles = (own.knownHostsFiles ?? ["~/.ssh/known_hosts", "~/.ssh/known_hosts2"]).map(path)
        knownHostsPath.updateValue(hostFiles.first, forKey: name)
        let given = settings.keyFile.map { [tokens.path($0)] }
        let keyPaths = given ?? (own.refusesKeys ? [] : own.identityFiles ?? Self.usualKeys).map(path)
        let keys = keyPaths.compactMap(keyFile)
        var problems = config.problems
        if given == nil, own.identityFiles != nil {
            for path in keyPaths where access(path.cBytes, R_OK) != 0 {
                problems.append("ssh_config names the key \(path): \(ErrnoFailure.words(errno))")
            }
        }
        if let path = given?.first, keys.isEmpty {
            throw .readWrite(
                path, reason: access(path.cBytes, R_OK) == 0 ? "not a private key" : ErrnoFailure.words(errno))
        }
        var knownHosts: [(path: String, file: KnownHosts)] = []
        var unreadable: TransferFailure?
        for path in hostFiles + ["/etc/ssh/ssh_known_hosts"] {
            do throws(SmallFile.Unreadable) {
                if let found = try known(path) { knownHosts.append(found) }
            } catch {
                unreadable = unreadable ?? .readWrite(path, reason: "\(error.reason); the host key cannot be looked up")
            }
        }
        return SSHTarget(
            url: moved, user: user, password: login?.password ?? settings.password, name: name, keys: keys,
            knownHosts: knownHosts, unreadableKnownHosts: unreadable, knownHostsFile: hostFiles.first,
            usesProxy: own.usesProxy, refusesAgent: own.refusesAgent, problems: problems)
    }

    /// Ed25519 first: RSA keys are refused by newer servers when libssh2 is old.
    private static let usualKeys = ["~/.ssh/id_ed25519", "~/.ssh/id_ecdsa", "~/.ssh/id_rsa"]

    private func keyFile(_ path: String) -> SSHTarget.Key? {
        guard let file = try? SmallFile(path), let kind = SSHKeyFile(parsing: file.bytes) else { return nil }
        return SSHTarget.Key(
            path: path, shown: path.hasPrefix(home + "/") ? "~" + path.dropFirst(home.count) : path,
            isEncrypted: kind.isEncrypted, isRSA: kind.isRSA, passphrase: passphrases[path])
    }

    /// - Returns: `nil`: there is no such file.
    private mutating func known(_ path: String) throws(SmallFile.Unreadable) -> (path: String, file: KnownHosts)? {
        if let cached = knownHosts[path], cached.file.isCurrent(at: path) { return (path, cached.parsed) }
        knownHosts[path] = nil
        guard let file = try SmallFile(path) else { return nil }
        let parsed = KnownHosts(parsing: file.bytes)
        knownHosts[path] = (file, parsed)
        return (path, parsed)
    }

    private mutating func sshConfig() -> SSHConfig {
        if let config, config.files.allSatisfy({ $1.isCurrent(at: $0) }) { return config.parsed }
        var files: [String: SmallFile] = [:]
        var problems: [String] = []
        func read(_ path: String) -> SmallFile? {
            do throws(SmallFile.Unreadable) {
                guard let file = try SmallFile(path) else { return nil }
                files[path] = file
                return file
            } catch {
                problems.append("\(path) was left out: \(error.reason)")
                return nil
            }
        }
        func parse(_ path: String, _ folder: String) -> SSHConfig {
            guard let file = read(path) else { return SSHConfig() }
            return SSHConfig(parsing: file.bytes, name: path) { pattern in
                let whole = pattern.hasPrefix("~/") ? home + pattern.dropFirst(1) : pattern
                return Self.paths(whole.hasPrefix("/") ? whole : "\(folder)/\(whole)").compactMap { path in
                    read(path).map { (name: path, bytes: $0.bytes) }
                }
            }
        }
        var parsed = parse(home + "/.ssh/config", home + "/.ssh")
        parsed.add(parse("/etc/ssh/ssh_config", "/etc/ssh"))
        parsed.problems += problems
        config = (files, parsed)
        return parsed
    }

    /// The files that a pattern with stars names, in alphabetical order.
    private static func paths(_ pattern: String) -> [String] {
        var found = glob_t()
        defer { globfree(&found) }
        guard glob(pattern.cBytes, 0, nil, &found) == 0 else { return [] }
        return (0..<Int(found.gl_pathc)).compactMap { index in found.gl_pathv[index].map { String(systemC: $0) } }
    }
}

// MARK: - Decisions of the user

extension SSHHomeState {
    func isTrusted(_ key: SSHHostKey) -> Bool { trusted.contains { $0.isSame(as: key) } }

    mutating func trust(_ key: SSHHostKey, remembering: Bool) {
        refusals[key.host] = nil
        if !isTrusted(key) { trusted.append(key) }
        guard remembering, !remembered.contains(where: { $0.isSame(as: key) }) else { return }
        remembered.append(key)
        guard let path = knownHostsPath[key.host, default: home + "/.ssh/known_hosts"] else {
            saveFailures[key.host] = "ssh_config has no file for it (UserKnownHostsFile)"
            return
        }
        saveFailures[key.host] = KnownHosts.append(key, to: path).map { "\(path): \($0)" }
    }
}

/// A whole regular file of the user's, read at once and kept as long as it stays the same.
struct SmallFile {
    let bytes: [UInt8]
    private let identity: FileIdentity

    /// A file is there, but its bytes are not known.
    struct Unreadable: Error {
        let reason: String
    }

    /// 64 MiB: a known_hosts of 500,000 hosts; the connections wait while it is read.
    private static let largest = 64 << 20

    /// - Returns: `nil` when there is no such file.
    init?(_ path: String) throws(Unreadable) {
        guard let file = Descriptor.open(path, O_RDONLY | O_NONBLOCK) else {
            let code = errno
            // A folder of the path is none: `HOME=/dev/null`.
            if code == ENOENT || code == ENOTDIR { return nil }
            throw Unreadable(reason: ErrnoFailure.words(code))
        }
        guard let status = file.status else { throw Unreadable(reason: ErrnoFailure.words(errno)) }
        guard status.isFile else { throw Unreadable(reason: "not a regular file") }
        guard status.st_size <= Self.largest else { throw Unreadable(reason: "larger than 64 MiB") }
        guard let bytes = file.bytes(most: Self.largest) else {
            throw Unreadable(reason: ErrnoFailure.words(errno))
        }
        (self.bytes, identity) = (bytes, FileIdentity(status))
    }

    /// False when the file was changed or replaced since it was read.
    func isCurrent(at path: String) -> Bool {
        var status = stat()
        return stat(path.cBytes, &status) == 0 && identity == FileIdentity(status)
    }
}

extension KnownHosts {
    /// Adds a line at the end of the file. Creates the file for the user alone, and the folder that it lies in.
    ///
    /// - Returns: why not; `nil` when it is there now.
    fileprivate static func append(_ key: SSHHostKey, to path: String) -> String? {
        if let slash = path.lastIndex(of: "/") { mkdir(String(path[..<slash]).cBytes, 0o700) }
        guard let file = Descriptor.open(path, O_RDWR | O_CREAT | O_APPEND | O_NONBLOCK) else {
            return ErrnoFailure.words(errno)
        }
        guard let status = file.status, status.isFile else { return "not a file" }
        var last = UInt8(ascii: "\n")
        if status.st_size > 0 { _ = pread(file.number, &last, 1, status.st_size - 1) }
        let line = (last == UInt8(ascii: "\n") ? "" : "\n") + Self.line(for: key) + "\n"
        let bytes = Array(line.utf8)
        guard write(file.number, bytes, bytes.count) == bytes.count else { return ErrnoFailure.words(errno) }
        return nil
    }
}

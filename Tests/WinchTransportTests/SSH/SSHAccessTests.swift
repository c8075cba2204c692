import Glibc
import TestSupport
import Testing

@testable import WinchModel
@testable import WinchTransport

/// What libcurl says when the connection ends before SFTP has begun, found out by cuts at every part of the login.
@Suite struct `A connection that does not get into an SSH server` {
    private func reaction(_ code: CurlCode, _ words: String, log: String = "") throws -> TransferFailure? {
        var settings = TransferSettings()
        settings.isInsecure = true
        let access = try SSHAccess(try TransferURL("sftp://u@h/x"), settings, SSHHome(), at: Moment(nanoseconds: 0))
        access.receivedLogLine(log)
        if case .failed(let failure) = access.reaction(after: code, words) { return failure }
        return nil
    }

    private static let cuts: [(CurlCode, String, String)] = [
        (.failedInit, "Failure establishing ssh session: -13, Failed getting banner", ""),
        (.failedInit, "Failure establishing ssh session: -43, ", ""),
        (.ssh, "Error in the SSH layer", ""),
        (.loginDenied, "Authentication failure", "SSH public key authentication failed: Waiting for USERAUTH response"),
        (
            .loginDenied, "Authentication failure",
            "SSH public key authentication failed: Waiting for publickey USERAUTH response"
        ),
        (.failedInit, "Failure initializing sftp session: Unable to startup channel", ""),
    ]

    @Test(arguments: cuts)
    func `was lost when the server stopped answering`(code: CurlCode, words: String, log: String) throws {
        try expectEqual(reaction(code, words, log: log), .connectionLost(words))
    }

    private static let refusals: [(CurlCode, String, String)] = [
        (.failedInit, "Failure establishing ssh session: -5, Unable to exchange encryption keys", ""),
        (
            .loginDenied, "Authentication failure",
            "SSH public key authentication failed: Username/PublicKey combination invalid"
        ),
        (.failedInit, "Failure initializing sftp session: Unable to request SFTP subsystem", ""),
    ]

    @Test(arguments: refusals)
    func `was refused when the server says so`(code: CurlCode, words: String, log: String) throws {
        if case .connectionLost? = try reaction(code, words, log: log) { Issue.record("taken for a lost connection") }
    }

    @Test func `as a user that was typed does not record the name`() throws {
        let folder = try TemporaryFolder()
        folder.write("key", Array("-----BEGIN PRIVATE KEY-----\nMIIF\n".utf8))
        var settings = TransferSettings()
        (settings.isInsecure, settings.keyFile) = (true, folder.path + "/key")
        let url = try TransferURL("sftp://h.test/x")
        let typed = Shared(settings).loggingIn("typed-name", Secret("x"), at: url).value
        let access = try SSHAccess(url, typed, SSHHome(), at: Moment(nanoseconds: 0))
        guard
            case .failed(.loginRefused(_, let user, let details?)) = access.reaction(
                after: .loginDenied, "Authentication failure")
        else {
            Issue.record("not refused")
            return
        }
        expectNil(user)
        expect(!details.contains("typed-name"))
    }
}

/// libcurl keeps connections, and asks for the key of a server only when it makes one.
@Suite struct `A kept connection to an SSH server` {
    private func trust(_ change: (inout TransferSettings) -> Void = { _ in }) throws -> String? {
        var settings = TransferSettings()
        change(&settings)
        let url = try TransferURL("sftp://u@h/x")
        return try SSHAccess(url, settings, SSHHome(), at: Moment(nanoseconds: 0)).request.trust
    }

    @Test func `serves no transfer that would not have accepted the key`() throws {
        let named = try trust { $0.hostKeys = ["SHA256:b", "SHA256:a"] }
        let all = try [trust(), trust { $0.isInsecure = true }, trust { $0.hostKeys = ["SHA256:a"] }, named]
        expectEqual(Set(all).count, all.count)
        try expectEqual(trust { $0.hostKeys = ["SHA256:a", "SHA256:b"] }, named)
    }
}

@Suite struct `A passphrase that the user has given` {
    @Test func `is tried once if it is wrong`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/key"
        folder.write("key", Array("-----BEGIN ENCRYPTED PRIVATE KEY-----\nMIIF\n".utf8))
        var settings = TransferSettings()
        (settings.isInsecure, settings.keyFile) = (true, path)
        let home = SSHHome()
        home.unlock(path, Secret("wrong"))
        func connect() throws -> SSHAccess {
            try SSHAccess(try TransferURL("sftp://u@h/x"), settings, home, at: Moment(nanoseconds: 0))
        }
        let first = try connect()
        expectEqual(first.request.keyFile, path)
        expectEqual(first.request.passphrase, Secret("wrong"))
        first.receivedLogLine(
            "SSH public key authentication failed: Wrong passphrase or invalid/unrecognized private key file format")
        let reaction = first.reaction(after: .loginDenied, "Authentication failure")
        expectEqual(reaction, .failed(.keyLocked(path, isWrong: true)))
        try expectNil(connect().request.keyFile)
    }
}

@Suite struct `The key of an SSH server` {
    static let url = "sftp://u@h.test/x"
    /// An Ed25519 key as a server sends it.
    static let key: [UInt8] =
        [0, 0, 0, 11] + Array("ssh-ed25519".utf8) + [0, 0, 0, 32] + Array(repeating: 7, count: 32)

    /// What is wrong with `~/.ssh/known_hosts`.
    enum Fault: CaseIterable {
        case tooLarge, fifo, folder

        func make(_ path: String) {
            switch self {
            case .tooLarge:
                expectEqual(close(open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)), 0)
                expectEqual(truncate(path, (64 << 20) + 1), 0)
            case .fifo: expectEqual(mkfifo(path, 0o600), 0)
            case .folder: expectEqual(mkdir(path, 0o700), 0)
            }
        }
    }

    /// It may have another key for the server.
    @Test(arguments: Fault.allCases)
    func `is not new when known_hosts cannot be read`(fault: Fault) throws {
        let folder = try TemporaryFolder()
        folder.makeFolder(".ssh")
        let path = folder.path + "/.ssh/known_hosts"
        fault.make(path)
        var settings = TransferSettings()
        settings.acceptsNewHostKeys = true
        let access = try SSHAccess(
            TransferURL(Self.url), settings, SSHHome(folder: folder.path), at: Moment(nanoseconds: 0))
        expect(!access.accepts(Self.key))
        guard case .failed(.readWrite(path, _)) = access.reaction(after: .peerNotVerified, "") else {
            Issue.record("not refused for the file")
            return
        }
    }

    @Test func `is new when there is no known_hosts`() throws {
        let folder = try TemporaryFolder()
        var settings = TransferSettings()
        settings.acceptsNewHostKeys = true
        let access = try SSHAccess(
            TransferURL(Self.url), settings, SSHHome(folder: folder.path), at: Moment(nanoseconds: 0))
        expect(access.accepts(Self.key))
        expectNil(access.takeSaveFailure())
        expectEqual(TemporaryFolder.names(in: folder.path + "/.ssh"), ["known_hosts"])
    }
}

@Suite struct `An ssh_config` {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        folder.makeFolder(".ssh")
    }

    private func target() throws -> SSHTarget {
        try SSHHome(folder: folder.path).target(of: TransferURL("sftp://u@h.test/x"), TransferSettings())
    }

    @Test func `without known hosts has no key remembered`() throws {
        folder.write(".ssh/config", Array("UserKnownHostsFile none\n".utf8))
        let home = SSHHome(folder: folder.path)
        var settings = TransferSettings()
        settings.acceptsNewHostKeys = true
        let access = try SSHAccess(
            TransferURL("sftp://u@h.test/x"), settings, home, at: Moment(nanoseconds: 0))
        expect(access.accepts(`The key of an SSH server`.key))
        try expect(require(access.takeSaveFailure()).contains("UserKnownHostsFile"))
        expectEqual(TemporaryFolder.names(in: folder.path + "/.ssh"), ["config"])
        // Where it cannot ask, libcurl would take any key.
        expectEqual(access.request.knownHosts, "/dev/null")
    }

    @Test func `may name keys in quotes and by variables, and those that are missing are told`() throws {
        folder.write(".ssh/my key", Array("-----BEGIN PRIVATE KEY-----\nMIIF\n".utf8))
        folder.write(".ssh/config", Array("IdentityFile '${HOME}/.ssh/my key'\nIdentityFile ~/.ssh/gone\n".utf8))
        let found = try target()
        expectEqual(found.keys.map(\.path), [folder.path + "/.ssh/my key"])
        expect(found.problems.contains("ssh_config names the key \(folder.path)/.ssh/gone: does not exist"))
    }

    @Test func `without key files has none tried`() throws {
        folder.write(".ssh/id_ed25519", Array("-----BEGIN PRIVATE KEY-----\nMIIF\n".utf8))
        try expectEqual(target().keys.count, 1)
        try expect(!target().refusesAgent)
        for (line, refusesAgent) in [("IdentityFile none", false), ("PubkeyAuthentication no", true)] {
            folder.write(".ssh/config", Array("\(line)\n".utf8))
            try expectEqual(target().keys.count, 0)
            try expectEqual(target().refusesAgent, refusesAgent)
        }
    }

    @Test func `that cannot be read is a problem that is told`() throws {
        let path = folder.path + "/.ssh/config"
        expectEqual(mkfifo(path, 0o600), 0)
        try expect(target().problems.contains("\(path) was left out: not a regular file"))
    }
}

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

import Foundation
import TestSupport
import Testing

/// sshd from Debian, with homes that the tests make.
@Suite(.serialized) struct `The host key of an SSH server` {
    private static let stranger = SSHServer.Client(knowsServer: false)

    /// The folders of the served file and of the download.
    private let source: TestFolder
    private let folder: TestFolder

    init() throws {
        source = try TestFolder()
        folder = try TestFolder()
        try source.write("by ssh", to: "file")
    }

    @Test func `that is unknown is shown, and nothing is downloaded unless it is not to be checked`() async throws {
        let server = try await SSHServer(client: Self.stranger)
        let result = try await server.winch(server.url(source.path("file")), in: folder)
        let fingerprint = try await server.fingerprint("ed25519")
        expectEqual(result.code, 6)
        expect(result.output.contains("its ED25519 key is \(fingerprint)"), "\(result.output)")
        expect(result.output.contains("--host-key \(fingerprint)"))
        try expectEqual(folder.names(), [])
        let insecure = try await server.winch(server.url(source.path("file")), "--insecure", in: folder)
        expectEqual(insecure.code, 0, "\(insecure.output)")
        expect(!server.clientHome.exists(".ssh/known_hosts"))
    }

    @Test func `is accepted by its fingerprint for one run, whatever its type`() async throws {
        let server = try await SSHServer(hostKeys: ["ed25519", "ecdsa"], client: Self.stranger)
        let fingerprint = try await server.fingerprint("ecdsa")
        let result = try await server.winch(
            server.url(source.path("file")), "--host-key", fingerprint, in: folder)
        expectEqual(result.code, 0, "\(result.output)")
        try expectEqual(folder.text("file"), "by ssh")
        expect(!server.clientHome.exists(".ssh/known_hosts"))
        let wrong = try await server.winch(
            server.url(source.path("file")), "--host-key", "SHA256:" + String(repeating: "A", count: 43), in: folder)
        expectEqual(wrong.code, 6)
        expect(wrong.output.contains("is not known"))
    }

    @Test func `is accepted only for the entry that names its fingerprint, also on a kept connection`() async throws {
        let server = try await SSHServer(client: Self.stranger)
        for name in ["a", "b"] { try source.write(name, to: name) }
        let fingerprint = try await server.fingerprint("ed25519")
        try folder.write(
            "\(server.url(source.path("a")))\n host-key=\(fingerprint)\n\(server.url(source.path("b")))\n", to: "list")
        let result = try await server.winch("-i", "list", "--jobs", "1", "-d", "got", in: folder)
        expectEqual(result.code, 6, "\(result.output)")
        try expectEqual(folder.names("got"), ["a"])
    }

    @Test func `is saved when new keys are accepted, in a file that only the user can read`() async throws {
        let server = try await SSHServer(client: Self.stranger)
        let home = try TestFolder()
        let key = server.clientHome.path(".ssh/id_ecdsa")
        func fetch(_ options: String...) async throws -> Program.Result {
            try await Program(
                [server.url(source.path("file")), "--key", key, "--ephemeral"] + options, in: folder,
                environment: ["HOME": home.url.path]
            ).wait()
        }
        let first = try await fetch("--accept-new-host-keys")
        expectEqual(first.code, 0, "\(first.output)")
        try expectEqual(home.text(".ssh/known_hosts"), server.line("ed25519") + "\n")
        for (path, mode) in [(".ssh", 0o700), (".ssh/known_hosts", 0o600)] {
            let attributes = try FileManager.default.attributesOfItem(atPath: home.path(path))
            expectEqual(attributes[.posixPermissions] as? Int, mode, "\(path)")
        }
        try await expectEqual(fetch("--on-conflict", "overwrite").code, 0, "known now")
    }

    /// When new keys are accepted, too.
    @Test func `that has changed is refused, with the line of the known key`() async throws {
        let server = try await SSHServer()
        try await SSHServer.makeKey("ed25519", at: source.path("other"))
        let other = try source.text("other.pub").split(separator: " ")[1]
        try server.clientHome.write("# mine\n\(server.name) ssh-ed25519 \(other)\n", to: ".ssh/known_hosts")
        let result = try await Program(
            [server.url(source.path("file")), "--ephemeral", "--accept-new-host-keys"], in: folder,
            environment: ["HOME": server.clientHome.url.path]
        ).wait()
        expectEqual(result.code, 6)
        expect(result.output.contains("HAS CHANGED"), "\(result.output)")
        let file = server.clientHome.path(".ssh/known_hosts")
        expect(result.output.contains("\(file) line 2"))
        expect(result.output.contains("ssh-keygen -f '\(file)' -R '\(server.name)'"))
        try expectEqual(folder.names(), [])
    }

    /// libssh2 1.10 and OpenSSH agree on no kind of RSA host key: asking for the first line's type would end the session.
    @Test func `may be of any type that known_hosts lists for the host`() async throws {
        let server = try await SSHServer(hostKeys: ["ed25519", "rsa"])
        try server.knowServer(by: ["rsa", "ed25519"])
        let result = try await server.winch(server.url(source.path("file")), in: folder)
        expectEqual(result.code, 0, "\(result.output)")
    }

    @Test func `is asked about once in the dashboard and saved`() async throws {
        let server = try await SSHServer(client: Self.stranger)
        for name in ["a", "b", "c"] { try source.write(name, to: name) }
        let urls = ["a", "b", "c"].map { server.url(source.path($0)) }.joined(separator: " ")
        let tmux = try await Tmux(folder, environment: ["HOME": server.clientHome.url.path])
        try await tmux.winch("\(urls) -d got --exit")
        try await tmux.wait(for: "The SSH server \(server.name) is not known", seconds: 60)
        let fingerprint = try await server.fingerprint("ed25519")
        try await tmux.wait(for: fingerprint)
        // A question that opens takes no keys for a second.
        try await Task.sleep(for: .seconds(1))
        try await tmux.press("y")
        try await tmux.wait(for: "winch: 3 finished", seconds: 60)
        try expectEqual(folder.names("got"), ["a", "b", "c"])
        try expectEqual(server.clientHome.text(".ssh/known_hosts"), server.line("ed25519") + "\n")
    }
}

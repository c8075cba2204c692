import Foundation
import TestSupport
import Testing

@Suite(.serialized) struct `A login over SSH` {
    private let source: TestFolder
    private let folder: TestFolder

    init() throws {
        source = try TestFolder()
        folder = try TestFolder()
        try source.write("by ssh", to: "file")
    }

    @Test func `uses the default key files without an agent`() async throws {
        let server = try await SSHServer(client: SSHServer.Client(key: "rsa", file: "id_rsa"))
        // Another key, which is tried first and which the server refuses.
        try await SSHServer.makeKey("ed25519", at: server.clientHome.path(".ssh/id_ed25519"))
        let result = try await server.winch(server.url(source.path("file")), in: folder)
        expectEqual(result.code, 0, "\(result.output)")
        try expectEqual(folder.text("file"), "by ssh")
    }

    @Test func `uses the key that is given`() async throws {
        let server = try await SSHServer(client: SSHServer.Client(key: "ed25519", file: "special"))
        let url = server.url(source.path("file"))
        let without = try await server.winch(url, in: folder)
        expectEqual(without.code, 24)
        let words = "the SFTP server refuses the login: \(NSUserName())@\(server.name); tried nothing"
        expect(without.output.contains(words), "\(without.output)")
        try folder.write("\(url)\n key=~/.ssh/special\n", to: "list")
        try await expectEqual(server.winch("-i", "list", in: folder).code, 0)
        try expectEqual(folder.text("file"), "by ssh")
    }

    @Test func `reports which methods were tried when it is refused`() async throws {
        let server = try await SSHServer(client: SSHServer.Client(key: "ed25519", file: "special"))
        try await SSHServer.makeKey("ed25519", at: server.clientHome.path(".ssh/id_ed25519"))
        let result = try await server.winch(server.url(source.path("file")), "--password", "wrong", in: folder)
        expectEqual(result.code, 24)
        expect(result.output.contains("tried the key ~/.ssh/id_ed25519, the password"), "\(result.output)")
        expect(result.output.contains("the server takes") && result.output.contains("publickey"))
    }

    @Test func `explains how to use a key with a passphrase when there is no terminal`() async throws {
        let client = SSHServer.Client(key: "ed25519", file: "id_ed25519", passphrase: "open sesame")
        let server = try await SSHServer(client: client)
        let result = try await server.winch(server.url(source.path("file")), in: folder)
        expectEqual(result.code, 24)
        let key = server.clientHome.path(".ssh/id_ed25519")
        expect(result.output.contains("the key \(key) needs its passphrase"), "\(result.output)")
        expect(result.output.contains("ssh-add '\(key)'"))
    }

    @Test func `asks for the passphrase of a key and neither shows nor stores it`() async throws {
        let client = SSHServer.Client(key: "ed25519", file: "id_ed25519", passphrase: "opensesame")
        let server = try await SSHServer(client: client)
        let tmux = try await Tmux(folder, environment: ["HOME": server.clientHome.url.path])
        try await tmux.winch("\(server.url(source.path("file"))) -d got --log run.log --log-level debug")
        try await tmux.wait(for: "What is the passphrase of the key", seconds: 60)
        // A question that opens takes no keys for a second.
        try await Task.sleep(for: .seconds(1))
        for key in ["w", "r", "o", "n", "g"] { try await tmux.press(key) }
        try await tmux.wait(for: "•••••")
        try await tmux.press("Enter")
        try await tmux.wait(for: "That passphrase is wrong", seconds: 60)
        try await Task.sleep(for: .seconds(1))
        for key in "opensesame" { try await tmux.press(String(key)) }
        try await tmux.wait(for: "••••••••••")
        try await expect(!tmux.screen().contains { $0.contains("opensesame") })
        try await tmux.press("Enter")
        try await tmux.wait(for: "the file") { _ in try folder.size("got/file") == 6 }
        try expect(!folder.text("run.log").contains("sesame"))
        try await tmux.wait(for: "1 of 1 done")
        try await tmux.press("q")
        try await tmux.wait(for: "$ ") { $0.contains { $0.hasPrefix("winch: 1 finished") } }
        let ledger = try Data(contentsOf: URL(fileURLWithPath: folder.path(".state/winch/ledger.sqlite")))
        expectNil(ledger.firstRange(of: Data("sesame".utf8)))
    }

    @Test func `follows ssh_config`() async throws {
        let server = try await SSHServer(client: SSHServer.Client(key: "ed25519", file: "special"))
        try server.clientHome.write(
            """
            Match host nothing
              Port 1
            Host box
              HostName 127.0.0.1
              Port \(server.port)
              User \(NSUserName())
              IdentityFile ~/.ssh/special
            Host *
              User nobody
            """, to: ".ssh/config")
        let result = try await server.winch(server.url(source.path("file"), host: "box"), in: folder)
        expectEqual(result.code, 0, "\(result.output)")
        try expectEqual(folder.text("file"), "by ssh")
    }

    @Test func `uses an agent`() async throws {
        let client = SSHServer.Client(key: "ed25519", file: "special", passphrase: "open")
        let server = try await SSHServer(client: client)
        let result = try await InstalledTool.code(
            "/usr/bin/ssh-agent",
            [
                "/bin/sh", "-c",
                "printf '#!/bin/sh\necho open\n' > \"$3/ask\"; chmod +x \"$3/ask\"; "
                    + "SSH_ASKPASS_REQUIRE=force SSH_ASKPASS=\"$3/ask\" ssh-add \"$2\" && HOME=\"$3\" exec \"$0\" \"$1\" "
                    + "--ephemeral --output plain -d \"$4\"",
                Program.winch, server.url(source.path("file")), server.clientHome.path(".ssh/special"),
                server.clientHome.url.path, folder.url.path,
            ])
        expectEqual(result, 0)
        try expectEqual(folder.text("file"), "by ssh")
    }
}

@Suite(.serialized) struct `A path over SFTP or FTP` {
    private let source: TestFolder
    private let folder: TestFolder

    init() throws {
        source = try TestFolder()
        folder = try TestFolder()
        try source.makeFolder("sub")
    }

    @Test func `that is not a file on an SSH server is reported`() async throws {
        let server = try await SSHServer()
        for (name, words) in [("sub/", "is an empty folder"), ("gone", "no such file")] {
            let result = try await server.winch(server.url(source.url.path + "/" + name), in: folder)
            expectEqual(result.code, 3)
            expect(result.output.contains(words) && result.output.contains("/\(name)"), "\(result.output)")
        }
        try expectEqual(folder.names(), [])
    }

    @Test(.enabled(if: getuid() == 0, "only root can serve as another user"))
    func `that may not be read is reported`() async throws {
        let server = try await SSHServer(
            subsystem: "exec setpriv --reuid=65534 --clear-groups /usr/lib/openssh/sftp-server")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: source.url.path)
        try source.write("secret", to: "locked")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: source.path("locked"))
        let result = try await server.winch(server.url(source.path("locked")), in: folder)
        expectEqual(result.code, 24)
        expect(result.output.contains("permission denied on the server: "), "\(result.output)")
    }

    @Test func `of ftps comes encrypted or not at all`() async throws {
        for denied in [[], ["PROT"]] {
            let server = try await FTPServer(security: .implicit, denied: denied)
            try server.root.write("secret", to: "x")
            let result = try await Program.run(
                "\(server.address)/x", "--cacert", server.certificate, "--output", "plain", "--ephemeral", in: folder)
            expectEqual(result.code == 0, denied.isEmpty, "\(result.output)")
            try expectEqual(folder.names(), ["x"])
            let words = " sends its files unencrypted"
            expectEqual(result.output.contains(words), !denied.isEmpty, "\(result.output)")
        }
    }

    @Test func `that is not a file on an FTP server is reported`() async throws {
        let server = try await FTPServer()
        try server.root.makeFolder("sub")
        for (path, words) in [
            ("/sub", "is an empty folder"), ("", "/ is a folder of "), ("/sub;type=d", "is a folder; "),
            ("/gone/x", "no such file"),
        ] {
            let result = try await Program.run(server.address + path, "--output", "plain", "--ephemeral", in: folder)
            expectEqual(result.code, 3, "\(path): \(result.output)")
            expect(result.output.contains(words), "\(path): \(result.output)")
        }
        try expectEqual(folder.names(), [])
    }
}

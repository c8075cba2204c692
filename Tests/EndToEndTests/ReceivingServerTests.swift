import Foundation
import Testing

/// The servers that uploads are tested against, each asked by curl.
@Suite(.serialized) struct `A real server that receives` {
    private let text = String(repeating: "content ", count: 20_000)

    /// - Returns: the status of the answer, with curl's exit code when it failed.
    private func curl(_ arguments: String..., expecting code: Int32 = 0) async throws {
        let all = ["-sS", "--max-time", "20", "--noproxy", "*"] + arguments
        #expect(try await InstalledTool.code("/usr/bin/curl", all) == code, "\(arguments)")
    }

    @Test func `is nginx with WebDAV`() async throws {
        let nginx = try await Nginx(receives: true)
        let folder = try TestFolder()
        try folder.write(text, to: "x")
        try await curl("-f", "-T", folder.path("x"), nginx.plain + "/x")
        #expect(try nginx.root.text("x") == text)
        try await curl("-f", "-T", folder.path("x"), nginx.plain + "/a/x", expecting: 22)
        try await curl("-f", "-X", "MKCOL", nginx.plain + "/a/")
        try await curl("-f", "-T", folder.path("x"), "--cacert", nginx.certificate, nginx.secure + "/a/x")
        #expect(try nginx.root.text("a/x") == text)
        let log = try nginx.root.text("../access.log")
        #expect(log.contains("\"PUT /a/x HTTP/1.1\" 500") && log.contains("\"PUT /a/x HTTP/2.0\" 201"))
    }

    /// With TLS 1.3 curl 7.88 closes the data connection while the server's session tickets are unread; the RST that follows
    /// loses the end of the file, and vsftpd answers 426.
    @Test(arguments: [
        (FTPServer.Security.none, []), (.implicit, ["-k", "--tls-max", "1.2"]),
        (.explicitRequired, ["-k", "--ssl-reqd", "--tls-max", "1.2"]),
    ])
    func `is vsftpd`(security: FTPServer.Security, options: [String]) async throws {
        let server = try await FTPServer(security: security, receives: true)
        let folder = try TestFolder()
        try folder.write(text, to: "x")
        func put(_ arguments: String...) async throws {
            let all = ["-sS", "--max-time", "20", "--noproxy", "*"] + options + arguments
            #expect(try await InstalledTool.code("/usr/bin/curl", all) == 0, "\(arguments)")
        }
        try await put("-T", folder.path("x"), server.address + "/x.part", "-Q", "-RNFR x.part", "-Q", "-RNTO x")
        #expect(try server.root.text("x") == text)
        try server.root.write(String(text.prefix(1000)), to: "y")
        try await put("-C", "1000", "-T", folder.path("x"), server.address + "/y")
        #expect(try server.root.text("y") == text)
        try await put("--ftp-create-dirs", "-T", folder.path("x"), server.address + "/a/b/x")
        #expect(try server.root.text("a/b/x") == text)
        #expect(try server.commands().contains("RNTO x"))
    }

    @Test func `is vsftpd without commands for renaming, appending and sizes`() async throws {
        let server = try await FTPServer(receives: true, denied: ["RNFR", "APPE", "SIZE"])
        let folder = try TestFolder()
        try folder.write(text, to: "x")
        try await curl("-T", folder.path("x"), server.address + "/x")
        try await curl("-a", "-T", folder.path("x"), server.address + "/x", expecting: 25)
        try await curl("-T", folder.path("x"), server.address + "/y", "-Q", "-RNFR y", expecting: 21)
    }

    @Test(.enabled(if: TusServer.isInstalled, "tuspyserver could not be installed by setup.sh test"))
    func `is tuspyserver`() async throws {
        let server = try await TusServer()
        let folder = try TestFolder()
        try folder.write(text, to: "x")
        let tus = [
            "-H", "Tus-Resumable: 1.0.0", "-H", "Content-Type: application/offset+octet-stream", "-H", "Expect:",
        ]
        let created = try await InstalledTool.run(
            "/usr/bin/curl",
            ["-sS", "-f", "-i", "-X", "POST", "-H", "Tus-Resumable: 1.0.0", server.url]
                + ["-H", "Upload-Length: \(text.utf8.count)", "-H", "Upload-Metadata: filename eA==,filetype eC95"])
        let lines = created.split(separator: "\r\n")
        let location = try lines.first { $0.hasPrefix("location: ") }.unwrapped("a Location").dropFirst(10)
        _ = try await InstalledTool.run(
            "/usr/bin/curl",
            ["-sS", "-f", "-X", "PATCH", "-H", "Upload-Offset: 0", "--data-binary", "@" + folder.path("x")] + tus
                + [String(location)])
        #expect(try server.uploads().map { try server.root.text($0) } == [text])
    }

    @Test func `is OpenSSH's`() async throws {
        let server = try await SSHServer()
        try await put(server, expecting: 0, "-rename x.part x")
        #expect(try server.root.text("x") == text)
        let refusing = try await SSHServer(denied: ["rename", "posix-rename"])
        try await put(refusing, expecting: 21, "-rename x.part x")
        #expect(try refusing.root.text("x.part") == text)
    }

    /// - Parameter rename: an sftp command in curl's words, with names that are taken from the server's folder.
    private func put(_ server: SSHServer, expecting code: Int32, _ rename: String) async throws {
        let folder = try TestFolder()
        try folder.write(text, to: "x")
        let command = rename.split(separator: " ").enumerated()
            .map { $0.offset == 0 ? String($0.element) : server.root.path(String($0.element)) }.joined(separator: " ")
        try await curl(
            "-k", "--key", server.clientHome.path(".ssh/id_ecdsa"), "--pubkey",
            server.clientHome.path(".ssh/id_ecdsa.pub"),
            "-T", folder.path("x"), server.url(server.root.path("x.part")), "-Q", command, expecting: code)
    }
}

import FaultServer
import Foundation
import TestSupport
import Testing

@Suite(.serialized) struct `A secured connection` {
    @Test(
        arguments: [
            (.expired, "the certificate of localhost", "has expired"),
            (.forAnotherHost, "the certificate is not for localhost", "but for another host"),
        ] as [(SecureSite.Certificate, String, String)])
    func `reports why the certificate is not trusted`(
        certificate: SecureSite.Certificate, words: String, more: String
    ) async throws {
        try await FaultServer.serving { server in
            let site = try await SecureSite(certificate, upstream: server.origin)
            let folder = try TestFolder()
            let result = try await Program.run("\(site.origin)/f/x", "--cacert", site.authority, in: folder)
            expectEqual(result.code, 6)
            expect(result.output.contains(words) && result.output.contains(more), "\(result.output)")
            try expectEqual(folder.names(), [])
        }
    }

    @Test func `is trusted only when its authority is given, or with --insecure`() async throws {
        try await FaultServer.serving { server in
            let site = try await SecureSite(.ofUnknownAuthority, upstream: server.origin)
            let folder = try TestFolder()
            let url = "\(site.origin)/f/x?size=500000"
            let refused = try await Program.run(url, in: folder)
            expectEqual(refused.code, 6)
            expect(refused.output.contains("an unknown authority") && refused.output.contains("--cacert"))
            let result = try await Program.run(url, "--cacert", site.authority, in: folder)
            expectEqual(result.code, 0, "\(result.output)")
            try folder.expectSeeded("x", size: 500_000)
            let careless = try await Program.run("\(site.origin)/f/y", "--insecure", in: folder)
            expectEqual(careless.code, 0, "\(careless.output)")
        }
    }

    /// In both directions; the key may be in a file of its own, and the option in the batch.
    @Test func `shows the certificate that the server asks for`() async throws {
        try await FaultServer.serving { server in
            let site = try await SecureSite(upstream: server.origin, clientCertificates: .required)
            let folder = try TestFolder()
            let (url, trust) = ("\(site.origin)/f/x?size=5000", ["--cacert", site.authority])
            let refused = try await Program([url] + trust, in: folder).wait()
            expect(refused.code != 0 && server.requests(for: "x").isEmpty, "\(refused.output)")
            let certificate = ["--cert", site.clientCertificate, "--key", site.clientKey]
            let result = try await Program([url] + trust + certificate, in: folder).wait()
            expectEqual(result.code, 0, "\(result.output)")
            let both =
                try String(contentsOfFile: site.clientCertificate, encoding: .utf8)
                + String(contentsOfFile: site.clientKey, encoding: .utf8)
            try folder.write(both, to: "both.pem")
            try folder.write("\(site.origin)/up/y\n  upload=both.pem\n  cert=both.pem\n", to: "list")
            let sent = try await Program(["-i", "list"] + trust, in: folder).wait()
            expectEqual(sent.code, 0, "\(sent.output)")
            expectEqual(server.uploaded("y").map { String(decoding: $0, as: UTF8.self) }, both)
        }
    }

    /// OpenSSL would ask for the passphrase on the terminal, and the dashboard could draw and read nothing until it got one.
    @Test func `is refused with a reason when its key has a passphrase`() async throws {
        let site = try await SecureSite(upstream: "http://127.0.0.1:1", clientCertificates: .required)
        let folder = try TestFolder()
        try await InstalledTool.run(
            "/usr/bin/openssl",
            ["pkey", "-in", site.clientKey, "-aes128", "-passout", "pass:sesame", "-out", folder.path("locked.pem")])
        let tmux = try await Tmux(folder)
        try await tmux.winch(
            "\(site.origin)/x --cacert \(site.authority) --cert \(site.clientCertificate) --key locked.pem --output plain"
        )
        try await tmux.wait(for: "unable to set private key file")
        try await expect(!tmux.screen().contains { $0.contains("Enter PEM") })
    }

    /// libcurl itself would show it to every server of a chain of redirects.
    @Test func `shows the certificate to no server that a redirect names`() async throws {
        try await FaultServer.serving { server in
            let site = try await SecureSite(upstream: server.origin, clientCertificates: .welcome)
            let other = try await SecureSite(upstream: server.origin, clientCertificates: .welcome)
            let folder = try TestFolder()
            let authorities = try [site, other].map { try String(contentsOfFile: $0.authority, encoding: .utf8) }
            try folder.write(authorities.joined(), to: "authorities.pem")
            let urls = [
                "\(site.origin)/f/first?redirectto=\(other.origin)/f/away", "\(site.origin)/f/second?redirect=1&size=9",
                "\(site.origin)/f/third",
            ]
            let result = try await Program.run(
                urls[0], urls[1], urls[2], "-j", "1", "--cacert", folder.path("authorities.pem"), "--cert",
                site.clientCertificate, "--key", site.clientKey, in: folder)
            expectEqual(result.code, 0, "\(result.output)")
            func isShown(_ name: String) -> [Bool] {
                server.requests(for: name).map { $0.request.header("X-Client-Certificate")?.isEmpty == false }
            }
            expect(!isShown("away").isEmpty && isShown("away").allSatisfy { !$0 })
            for name in ["first", "second", "third"] {
                expect(!isShown(name).isEmpty && isShown(name).allSatisfy(\.self))
            }
        }
    }

    /// Not from http to https and back to http either, although the first URL was http.
    @Test func `never continues in plain text after a redirect unless allowed`() async throws {
        try await FaultServer.serving { server in
            let site = try await SecureSite(upstream: server.origin)
            let folder = try TestFolder()
            let url = "\(site.origin)/f/x?redirectto=" + server.origin + "/f/clear"
            let back = server.url("a", "redirectto=\(site.origin)/f/b?redirectto=" + server.origin + "/f/clear")
            let up = server.url("c", "redirectto=\(site.origin)/f/y?size=9")
            let refused = try await Program.run(url, back, up, "--cacert", site.authority, in: folder)
            expectEqual(refused.code, 23)
            expect(refused.output.contains("redirect not followed: \(server.origin)/f/clear"), "\(refused.output)")
            expect(refused.output.contains("--allow-downgrade"))
            try expectEqual(folder.names().count, 1, "from http to https alone")
            expect(server.requests(for: "clear").isEmpty && !server.requests(for: "b").isEmpty)
            let allowed = try await Program.run(url, "--cacert", site.authority, "--allow-downgrade", in: folder)
            expectEqual(allowed.code, 0, "\(allowed.output)")
            expectEqual(server.requests(for: "clear").count, 1)
        }
    }

    /// A body without a length ends with its connection: it is complete if TLS announces the end, otherwise cut.
    @Test func `without a length is cut short when it closes without close_notify`() async throws {
        try await FaultServer.serving { server in
            let site = try await SecureSite(upstream: server.origin)
            let folder = try TestFolder()
            let program = try Program(
                [
                    "\(site.origin)/f/w?size=300000&nolength", "\(site.origin)/f/cut?size=900000&nolength&stall=300000",
                    "--cacert", site.authority, "--max-tries", "1", "--output", "json",
                ], in: folder)
            try await folder.wait(for: "w", toHave: 300_000)
            try await folder.wait(for: "cut.part", toHave: 300_000)
            site.breakOff()
            let cut = try await program.wait()
            // 300,000 bytes are no small piece, so the rest is requested at once; by then no server listens.
            expectEqual(cut.code, 6, "\(cut.output)")
            expect(cut.output.contains("cut short after 300000 bytes"), "\(cut.output)")
            expect(!folder.exists("cut"))
        }
    }
}

@Suite struct `A secret` {
    @Test func `on the command line is hidden in the process list`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            let host = "127.0.0.1:\(server.port)"
            let program = try Program(
                [
                    "http://me:hidden1@\(host)/f/a?size=100&stall=50", "--password", "hidden2",
                    "--http-user=me", "--header", "X-Token: hidden3", "--header=Cookie: hidden4", "--output", "json",
                ], in: folder)
            try await eventually("an answer") { program.outputSoFar.contains("headers") }
            let line = try program.commandLine()
            for secret in ["me:hidden1", "hidden2", "hidden3", "hidden4"] { expect(!line.contains(secret), "\(line)") }
            expect(line.contains("@\(host)/f/a") && line.contains("--password") && line.contains("X-Token:"))
            program.signal(SIGTERM)
            let result = try await program.wait()
            for secret in ["me:hidden1", "hidden2", "hidden3", "hidden4"] {
                expect(!result.output.contains(secret) && !result.errors.contains(secret))
            }
            expectEqual(server.requests.last?.request.header("X-Token"), "hidden3")
        }
    }

    @Test func `in the URL of a redirect is not shown`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            let given = server.url("a", "redirectto=ftp://me:hidden@127.0.0.1/x")
            let result = try await Program.run(given, "--output", "json", in: folder)
            expectEqual(result.code, 23, "\(result.output)")
            expectMore(result.lines.count, than: 2)
            // The URL that the user gave is told with its query.
            let others = result.lines.map { $0.replacing(given, with: "") }
            expect(others.allSatisfy { !$0.contains("hidden") }, "\(others)")
        }
    }
}

@Suite struct `Standard output` {
    @Test func `that cannot be written makes every command fail`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            try folder.write("http://h/a\n", to: "list")
            try await expectEqual(Program.run(server.url("x", "size=10"), in: folder).code, 0)
            let runs = ["plain", "json"].map { "'\(server.url($0, "size=10"))' --output \($0)" }
            let others = [
                "info", "history --json", "check list", "completions bash", "--help", "help history", "serve --unit",
            ]
            for command in runs + others {
                let result = try await InstalledTool.code(
                    "/bin/sh",
                    [
                        "-c", "cd '\(folder.url.path)'; exec \"$0\" \(command) > /dev/full 2> errors", Program.winch,
                    ], environment: Program.environment(in: folder))
                expectEqual(result, 17, "\(command)")
                try expect(folder.text("errors").contains("standard output: No space left on device"), "\(command)")
            }
            expect(folder.exists("plain") && folder.exists("json"), "every download succeeded")
        }
    }
}

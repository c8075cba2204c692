import Foundation
import Testing

@testable import WinchFleet

@Suite struct `The connection to a fleet's server` {
    @Test func `says that no server answers`() {
        #expect {
            _ = try NatsLink(ServerChoice("nats://127.0.0.1:1"), name: "test")
        } throws: { error in
            guard case .unreachable("nats://127.0.0.1:1", _) = error as? FleetFault else { return false }
            return true
        }
    }

    @Test func `says that the login is refused, and shows no password`() async throws {
        let server = try await NatsServer { _ in "authorization { user: me, password: right }" }
        var url = server.choice
        url.servers = url.servers.replacing("nats://", with: "nats://me:wrong@")
        #expect(throws: FleetFault.loginRefused(server: "nats://127.0.0.1:\(server.port)")) {
            _ = try NatsLink(url, name: "test")
        }
        #expect(throws: FleetFault.loginRefused(server: "nats://127.0.0.1:\(server.port)")) {
            _ = try NatsLink(server.choice, name: "test")
        }
        url.servers = url.servers.replacing("wrong", with: "right")
        _ = try NatsLink(url, name: "test")
    }

    @Test func `takes a token`() async throws {
        let server = try await NatsServer { _ in "authorization { token: secret }" }
        var choice = server.choice
        choice.token = "secret"
        _ = try NatsLink(choice, name: "test")
        choice.token = "other"
        #expect(throws: FleetFault.loginRefused(server: choice.servers)) { _ = try NatsLink(choice, name: "test") }
    }

    @Test func `says that a credentials file is missing`() {
        var choice = ServerChoice("nats://127.0.0.1:1")
        choice.credentials = "/nowhere/x.creds"
        #expect(throws: FleetFault.file(path: "/nowhere/x.creds", reason: "No such file or directory")) {
            _ = try NatsLink(choice, name: "test")
        }
    }

    @Test func `takes a credentials file, and makes a run with it`() async throws {
        let server = try await NatsServer { _ in NatsOperator.configuration }
        var choice = server.choice
        #expect(throws: FleetFault.loginRefused(server: choice.servers)) { _ = try NatsLink(choice, name: "test") }
        choice.credentials = server.folder.appending(path: "user.creds").path
        try NatsOperator.credentials.write(toFile: choice.credentials ?? "", atomically: true, encoding: .utf8)
        let run = try FleetRun("test", at: NatsLink(choice, name: "test"))
        try await run.open()
        try await run.find()
    }

    @Test(arguments: ["", "no credentials", "SEED"])
    func `says that a file is no credentials file`(text: String) async throws {
        let server = try await NatsServer { _ in NatsOperator.configuration }
        var choice = server.choice
        let path = server.folder.appending(path: "user.creds").path
        choice.credentials = path
        // The seed has a checksum.
        let changed = NatsOperator.credentials.replacing("SUA", with: "SUB")
        try (text == "SEED" ? changed : text).write(toFile: path, atomically: true, encoding: .utf8)
        #expect {
            _ = try NatsLink(choice, name: "test")
        } throws: { error in
            guard case .file(path, _) = error as? FleetFault else { return false }
            return true
        }
    }

    @Test func `is encrypted, with certificates that both sides have checked`() async throws {
        var made = ""
        let server = try await NatsServer { folder in
            made = folder
            Self.makeCertificate(in: folder)
            return """
                tls {
                  cert_file: "\(folder)/cert.pem"
                  key_file: "\(folder)/key.pem"
                  ca_file: "\(folder)/cert.pem"
                  verify: true
                }
                """
        }
        let url = "tls://localhost:\(server.port)"
        var choice = ServerChoice(url)
        // The authority is not known.
        #expect(throws: FleetFault.self) { _ = try NatsLink(choice, name: "test") }
        choice.authorities = made + "/cert.pem"
        // The server asks for a certificate.
        #expect(throws: FleetFault.self) { _ = try NatsLink(choice, name: "test") }
        (choice.certificate, choice.key) = (made + "/cert.pem", made + "/key.pem")
        let run = try FleetRun("test", at: NatsLink(choice, name: "test"))
        try await run.open()
        try await run.find()
        // Its certificate is for localhost.
        choice.servers = "tls://127.0.0.1:\(server.port)"
        #expect {
            _ = try NatsLink(choice, name: "test")
        } throws: { error in
            guard case .tls = error as? FleetFault else { return false }
            return true
        }
    }

    private static func makeCertificate(in folder: String) {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/openssl")
        process.arguments = [
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
            "-subj", "/CN=localhost", "-addext",
            "subjectAltName=DNS:localhost", "-keyout", folder + "/key.pem", "-out", folder + "/cert.pem",
        ]
        (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        do { try process.run() } catch { Issue.record("openssl: \(error)") }
        process.waitUntilExit()
    }

    @Test func `says that the server does not encrypt`() async throws {
        let server = try await NatsServer()
        #expect {
            _ = try NatsLink(ServerChoice("tls://127.0.0.1:\(server.port)"), name: "test")
        } throws: { error in
            guard case .tls = error as? FleetFault else { return false }
            return true
        }
    }

    @Test func `says that the server has no JetStream`() async throws {
        let server = try await NatsServer(jetStream: false)
        let run = try server.run()
        await #expect(throws: FleetFault.noJetStream(server: server.choice.servers)) { try await run.open() }
    }

    @Test func `says what a login that may only read is not permitted`() async throws {
        let server = try await NatsServer { _ in
            "authorization { users: [{ user: me, password: x, permissions: { publish: { deny: \">\" } } }] }"
        }
        var choice = server.choice
        choice.servers = choice.servers.replacing("nats://", with: "nats://me:x@")
        let run = try FleetRun("test", at: NatsLink(choice, name: "test"))
        await #expect {
            try await run.open()
        } throws: { error in
            guard case .notPermitted(let words) = error as? FleetFault else { return false }
            return words.contains("ermission")
        }
    }
}

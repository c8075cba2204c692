import Foundation
import TestSupport
import Testing

@testable import WinchFleet

@Suite struct `The connection to a fleet's server` {
    private func fault(_ choice: ServerChoice) -> FleetFault? {
        do throws(FleetFault) {
            _ = try NatsLink(choice, name: "test")
            return nil
        } catch {
            return error
        }
    }

    private func isTLS(_ fault: FleetFault?) -> Bool { if case .tls = fault { true } else { false } }

    @Test func `says that no server answers`() {
        guard case .unreachable("nats://127.0.0.1:1", _) = fault(ServerChoice("nats://127.0.0.1:1")) else {
            Issue.record("reached")
            return
        }
    }

    @Test func `says that the login is refused, and shows no password`() async throws {
        let server = try await NatsServer { _ in "authorization { user: me, password: right }" }
        var url = server.choice
        url.servers = url.servers.replacing("nats://", with: "nats://me:wrong@")
        for choice in [url, server.choice] { expectEqual(fault(choice), .loginRefused(server: server.choice.servers)) }
        url.servers = url.servers.replacing("wrong", with: "right")
        expectNil(fault(url))
    }

    @Test func `takes a token`() async throws {
        let server = try await NatsServer { _ in "authorization { token: secret }" }
        var choice = server.choice
        choice.token = "secret"
        expectNil(fault(choice))
        choice.token = "other"
        expectEqual(fault(choice), .loginRefused(server: choice.servers))
    }

    @Test func `says that a credentials file is missing`() {
        var choice = ServerChoice("nats://127.0.0.1:1")
        choice.credentials = "/nowhere/x.creds"
        expectEqual(fault(choice), .file(path: "/nowhere/x.creds", reason: "No such file or directory"))
    }

    @Test func `takes a credentials file, and makes a run with it`() async throws {
        let server = try await NatsServer { _ in NatsOperator.configuration }
        var choice = server.choice
        expectEqual(fault(choice), .loginRefused(server: choice.servers))
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
        guard case .file(path, _) = fault(choice) else {
            Issue.record("taken")
            return
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
        expect(fault(choice) != nil)
        choice.authorities = made + "/cert.pem"
        // The server asks for a certificate.
        expect(fault(choice) != nil)
        (choice.certificate, choice.key) = (made + "/cert.pem", made + "/key.pem")
        let run = try FleetRun("test", at: NatsLink(choice, name: "test"))
        try await run.open()
        try await run.find()
        // Its certificate is for localhost.
        choice.servers = "tls://127.0.0.1:\(server.port)"
        expect(isTLS(fault(choice)))
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
        expect(isTLS(fault(ServerChoice("tls://127.0.0.1:\(server.port)"))))
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

import FaultServer
import Foundation

/// `openssl s_server` with a self-signed certificate. It answers with fixed texts, which contain the head and the body.
final class SecureServer: Sendable {
    let origin: String
    private let child: Child

    /// - Parameter answers: by path without the slash; a copy of the certificate goes to `home/cert.pem`.
    init(_ answers: [String: String], in scratch: Scratch) async throws {
        guard mkdir(scratch["secure"], 0o755) == 0 else { throw SuiteFailure.cannotPrepare("secure") }
        for (name, text) in answers { try scratch.write(text, to: "secure/" + name) }
        let environment = ["PATH": "/usr/bin:/bin", "HOME": scratch["home"]]
        let maker = try Child(
            "openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", scratch["key.pem"],
                "-out", scratch["home/cert.pem"],
            ], in: scratch.path, environment: environment, streams: .together(scratch["openssl.log"]))
        guard try await maker.end(within: 20) == 0 else { throw SuiteFailure.cannotPrepare("a certificate") }
        (child, origin) = try await Self.listening(scratch, environment)
    }

    /// Another process may take the free port before this server listens on it: then another port is tried.
    private static func listening(_ scratch: Scratch, _ environment: [String: String]) async throws -> (Child, String) {
        for _ in 0..<5 {
            let port = try await FaultServer.serving { $0.port }
            let child = try Child(
                "openssl",
                [
                    "s_server", "-accept", "127.0.0.1:\(port)", "-cert", scratch["home/cert.pem"], "-key",
                    scratch["key.pem"], "-HTTP", "-naccept", "50",
                ], in: scratch["secure"], environment: environment, streams: .together(scratch["secure.log"]))
            for _ in 0..<1000 {
                if scratch.text("secure.log").contains("ACCEPT") { return (child, "https://localhost:\(port)") }
                if child.ending() != nil { break }
                try await Task.sleep(for: .milliseconds(5))
            }
            child.signal(SIGKILL)
            _ = try? await child.end(within: 5)
        }
        throw SuiteFailure.cannotPrepare("a secure server")
    }

    func stop() async {
        child.signal(SIGKILL)
        _ = try? await child.end(within: 5)
    }
}

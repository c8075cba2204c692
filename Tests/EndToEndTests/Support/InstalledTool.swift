import Foundation
import TestSupport

/// Another program, run to its end.
enum InstalledTool {
    /// - Returns: its exit code; `nil`: it hung.
    static func code(
        _ program: String, _ arguments: [String], environment: [String: String]? = nil
    ) async throws -> Int32? {
        try await Child(program, arguments, environment: environment).end(within: 60)
    }

    /// - Returns: its exit code, and what it wrote to both of its outputs.
    static func outcome(
        _ program: String, _ arguments: [String], in folder: String? = nil
    ) async throws -> (code: Int32?, output: String) {
        let output = FileManager.default.temporaryDirectory.appending(path: "winch-tool-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: output) }
        let code = try await Child(program, arguments, in: folder, streams: .together(output)).end(within: 60)
        return (code, try String(contentsOfFile: output, encoding: .utf8))
    }

    /// - Returns: what it wrote to standard output.
    @discardableResult
    static func run(_ program: String, _ arguments: [String]) async throws -> String {
        let output = FileManager.default.temporaryDirectory.appending(path: "winch-tool-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: output) }
        let child = try Child(program, arguments, streams: .files(output: output))
        guard try await child.end(within: 60) == 0 else { throw Missing(what: "\(program) to succeed: \(arguments)") }
        return try String(contentsOfFile: output, encoding: .utf8)
    }
}

extension TestFolder {
    /// Makes `cert.pem`, a certificate that signs itself, and `key.pem`.
    func makeCertificate(for host: String = "localhost") async throws {
        try await InstalledTool.run(
            "/usr/bin/openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                "-subj", "/CN=\(host)", "-addext", "subjectAltName=DNS:\(host)", "-keyout", path("key.pem"), "-out",
                path("cert.pem"),
            ])
    }
}

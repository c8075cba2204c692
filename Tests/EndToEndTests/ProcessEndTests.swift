import Foundation
import TestSupport
import Testing

/// Runs against real servers. When `exit` cleaned up OpenSSL while a thread was still closing a connection, about every
/// fifth SFTP run of an optimised build ended in a segmentation fault.
///
/// `WINCH_EXIT_RUNS=500 swift test --filter ProcessEndTests` makes 500 runs with each server.
@Suite(.serialized) struct `The end of the process` {
    /// Few by default, since the whole suite runs them; the test of the slow close below fails in every run without the fix.
    private static let runs = Runs.count(of: "EXIT_RUNS") ?? 2

    @Test func `is clean after a download over SFTP`() async throws {
        let server = try await SSHServer()
        let source = try TestFolder()
        try source.write("by ssh", to: "file")
        try await run(
            server.url(source.path("file")), [], times: Self.runs,
            environment: ["HOME": server.clientHome.url.path])
    }

    @Test func `is clean after a download over FTPS`() async throws {
        let server = try await FTPServer(security: .implicit)
        try server.root.write("by ftp", to: "file")
        try await run("\(server.address)/file", ["--cacert", server.certificate], times: Self.runs)
    }

    @Test func `is clean after a download over HTTPS`() async throws {
        let server = try await Nginx()
        try server.root.write("by http", to: "file")
        try await run("\(server.secure)/file", ["--cacert", server.certificate], times: Self.runs)
    }

    /// The server closes the connection late: the program waits until it is closed in order.
    @Test func `waits until the server has closed the connection`() async throws {
        let server = try await SSHServer(subsystem: "/usr/lib/openssh/sftp-server; sleep 0.4")
        let source = try TestFolder()
        try source.write("by ssh", to: "file")
        try await run(server.url(source.path("file")), [], times: 1, environment: ["HOME": server.clientHome.url.path])
        try await eventually("a disconnect in the log") { try server.log().contains("Received disconnect") }
    }

    @Test func `does not wait long for a server that never closes the connection`() async throws {
        // The process that keeps the connection open ends with the server's process for this connection.
        let server = try await SSHServer(
            subsystem: "/usr/lib/openssh/sftp-server; exec setpriv --pdeathsig KILL sleep 600")
        let source = try TestFolder()
        try source.write("by ssh", to: "file")
        try await run(server.url(source.path("file")), [], times: 1, environment: ["HOME": server.clientHome.url.path])
        let log = try server.log()
        expect(!log.contains("Received disconnect"), "\(log)")
    }

    private func run(
        _ url: String, _ options: [String], times: Int, environment: [String: String] = [:]
    ) async throws {
        var codes: [Int32: Int] = [:]
        for _ in 0..<times {
            let folder = try TestFolder()
            let program = try Program(
                [url, "--ephemeral", "--output", "plain"] + options, in: folder, environment: environment)
            let result = try await program.wait()
            codes[result.code, default: 0] += 1
            if result.code != 0 { print(result.output, result.errors) }
            expect(folder.exists("file"))
        }
        expectEqual(codes, [0: times], "exit codes and how often")
    }
}

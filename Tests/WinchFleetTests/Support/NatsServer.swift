import Foundation
import Glibc
import TestSupport
import Testing
import WinchBatch

@testable import WinchFleet

/// A nats-server of the test's own on loopback, with its store in a folder that is removed at the end.
final class NatsServer {
    let folder: URL
    let port: Int
    private let held: HeldPort
    private let arguments: [String]
    private var child: Child

    struct Missing: Error {
        let what: String
    }

    var choice: ServerChoice { ServerChoice("nats://127.0.0.1:\(port)") }

    /// - Parameters:
    ///   - configuration: lines of its configuration file.
    init(jetStream: Bool = true, configuration: (_ folder: String) -> String = { _ in "" }) async throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "winch-nats-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appending(path: "nats.conf")
        try Data(configuration(folder.path).utf8).write(to: file)
        held = try HeldPort()
        port = held.number
        arguments =
            ["-a", "127.0.0.1", "-p", "\(port)", "-c", file.path]
            + (jetStream ? ["-js", "-sd", folder.appending(path: "store").path] : [])
        child = try Child("/usr/sbin/nats-server", arguments)
        try await answer()
    }

    deinit {
        child.signal(SIGKILL)
        _ = waitpid(child.pid, nil, 0)
        try? FileManager.default.removeItem(at: folder)
    }

    /// Ends it as a power loss of its machine would.
    func kill() async throws {
        child.signal(SIGKILL)
        _ = try await child.end(within: 10)
    }

    func startAgain() async throws {
        child = try Child("/usr/sbin/nats-server", arguments)
        try await answer()
    }

    private func answer() async throws {
        for _ in 0..<1000 {
            // Then another server may answer at its port.
            guard child.ending() == nil else { break }
            if let link = try? NatsLink(ServerChoice("nats://127.0.0.1:\(port)"), name: "test") {
                _ = link
                return
            }
            // One that demands a login answers as well.
            if held.connects { return }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw Missing(what: "nats-server to start")
    }
}

extension NatsServer {
    func run(_ name: String = "test") throws -> FleetRun { try FleetRun(name, at: NatsLink(choice, name: "test")) }

    /// Submits a list.
    @discardableResult
    func submit(_ list: String, to run: FleetRun) async throws -> Submission.Count {
        let submission = Submission(to: run)
        var reader = FleetEntryReader(Array(list.utf8))
        try await submission.submit(&reader)
        expectEqual(reader.problems, [])
        return submission.count
    }
}

/// Waits until a condition is true, for at least 60 s.
func becomesTrue(_ isTrue: () async throws -> Bool) async throws -> Bool {
    for _ in 0..<3000 {
        if try await isTrue() { return true }
        try await Task.sleep(for: .milliseconds(20))
    }
    return try await isTrue()
}

import FaultSuite
import Glibc
import TestSupport

extension LocalPort {
    /// Returns when a server listens there.
    ///
    /// - Parameter complaint: the output of a server that has not started.
    static func wait(
        for port: Int, _ server: Child, _ name: String, complaint: () throws -> String = { "" }
    ) async throws {
        for _ in 0..<500 {
            if connects(to: port) { return }
            guard server.ending() == nil else { break }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw Missing(what: "\(name) to start: \((try? complaint()) ?? "")")
    }
}

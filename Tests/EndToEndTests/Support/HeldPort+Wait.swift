import Glibc
import TestSupport

extension HeldPort {
    /// Returns when a server listens there.
    ///
    /// - Parameter complaint: the output of a server that has not started.
    func wait(
        for server: Child, _ name: String, complaint: () throws -> String = { "" }
    ) async throws {
        for _ in 0..<6000 {
            // Then no other server can answer there.
            guard server.ending() == nil else { break }
            if connects { return }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw Missing(what: "\(name) to start: \((try? complaint()) ?? "")")
    }
}

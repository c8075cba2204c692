import Foundation
import Glibc
import TestSupport

/// Waits for an event. A minute is reached only by a hang: then the test fails.
///
/// - Parameter what: named by the failure, e.g. `a request`.
func eventually(_ what: String, _ isTrue: () async throws -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(60)
    while try await !isTrue() {
        guard ContinuousClock.now < deadline else { throw Missing(what: what) }
        try await Task.sleep(for: .milliseconds(5))
    }
}

extension HeldPort {
    /// Returns when a server listens there.
    ///
    /// - Parameter complaint: the output of a server that has not started.
    func wait(for server: Child, _ name: String, complaint: () throws -> String = { "" }) async throws {
        try await eventually("\(name) to start") {
            // When it has ended, no other server can answer there.
            guard server.ending() == nil else { throw Missing(what: "\(name) to start: \((try? complaint()) ?? "")") }
            return connects
        }
    }
}

extension TestFolder {
    /// Waits until a file has at least this many bytes.
    func wait(for name: String, toHave least: Int) async throws {
        try await eventually("\(least) bytes in \(name)") { try size(name) >= least }
    }

    /// Waits until no process has the file open for writing: a server whose client is gone still writes what it has
    /// received.
    func waitUntilWritten(_ name: String) async throws {
        let descriptor = open(path(name), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Missing(what: "\(name): \(String(cString: strerror(errno)))") }
        defer { close(descriptor) }
        // F_SETLEASE, which Glibc's module leaves out. A lease for reading is refused while a process may write; it
        // ends with the descriptor.
        let setLease: Int32 = 1024
        try await eventually("\(name) to be closed by its writers") {
            if fcntl(descriptor, setLease, Int32(F_RDLCK)) == 0 { return true }
            let code = errno
            guard code == EAGAIN else { throw Missing(what: "a lease of \(name): \(String(cString: strerror(code)))") }
            return false
        }
    }
}

extension Program {
    /// Changes something while the program is stopped, so that it moves no byte meanwhile.
    func whileStopped(_ change: () async throws -> Void) async throws {
        signal(SIGSTOP)
        defer { signal(SIGCONT) }
        try await change()
    }
}

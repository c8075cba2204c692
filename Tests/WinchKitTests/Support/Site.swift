import FaultServer
import TestSupport
import Testing
import WinchCore
import WinchKit

/// A server that misbehaves on demand, a folder, and queues between them.
struct Site {
    let server: FaultServer
    let folder: TemporaryFolder

    static func open(_ body: (Site) async throws -> Void) async throws {
        try await FaultServer.serving { server in
            try await body(Site(server: server, folder: try TemporaryFolder()))
        }
    }

    /// A queue whose retries do not wait.
    func queue(_ change: (inout NetworkQueue.Settings) -> Void = { _ in }) throws -> NetworkQueue {
        var settings = NetworkQueue.Settings()
        settings.folder = folder.path
        settings.options.retryWait = .milliseconds(1)
        change(&settings)
        return try NetworkQueue(settings)
    }
}

extension AsyncSequence where Failure == Never, Element: Sendable {
    /// All of it.
    ///
    /// By the standard library's own methods: a generic loop written here returned, about every tenth time on a busy
    /// machine, elements that its predicate had refused (Swift 6.3, debug build).
    var collected: [Element] {
        get async { await reduce(into: []) { $0.append($1) } }
    }
}

/// Waits for what another thread will make true.
func eventually(_ isTrue: () -> Bool) async throws -> Bool {
    for _ in 0..<1000 {
        if isTrue() { return true }
        try await Task.sleep(for: .milliseconds(10))
    }
    return isTrue()
}

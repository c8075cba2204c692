import FaultServer
import TestSupport
import Testing
import WinchKit

@testable import WinchModel

/// A local server that misbehaves on demand and a target folder, for the queues of a test.
struct Site {
    let server: FaultServer
    let folder: TemporaryFolder

    static func open(_ body: (Site) async throws -> Void) async throws {
        try await FaultServer.serving { server in
            try await body(Site(server: server, folder: try TemporaryFolder()))
        }
    }

    /// With a queue, which is closed at the end.
    static func queue(
        _ change: (inout NetworkQueue.Settings) -> Void = { _ in }, _ body: (Site, NetworkQueue) async throws -> Void
    ) async throws {
        try await open { site in
            let queue = try site.queue(change)
            try await body(site, queue)
            await queue.close()
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
    /// All elements up to the end.
    ///
    /// Uses `reduce` of the standard library. A generic `for await` loop with a predicate, written here, sometimes returned
    /// elements that the predicate had refused: about every tenth time on a busy machine (Swift 6.3, debug build).
    var collected: [Element] {
        get async { await reduce(into: []) { $0.append($1) } }
    }
}

/// Waits until a condition that another thread changes is true, for at least 60 s.
///
/// - Returns: false when it is still false then.
func eventually(_ isTrue: () -> Bool) async throws -> Bool {
    for _ in 0..<6000 {
        if isTrue() { return true }
        try await Task.sleep(for: .milliseconds(10))
    }
    return isTrue()
}

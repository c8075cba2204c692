import FaultSuite
import Foundation
import Testing

/// The short form of `make monkey`. WINCH_SEED reproduces a session.
@Suite struct `Random input in a real terminal` {
    private static let seed = UInt64(ProcessInfo.processInfo.environment["WINCH_SEED"] ?? "") ?? 300

    @Test func `breaks neither the program nor the terminal in 25 sessions`() async {
        let summary = await Monkey(winch: Products.path("winch"), seed: Self.seed, jobs: 8).run(25)
        #expect(summary.isRight, "\(summary.failureLogs.joined(separator: "\n"))")
        #expect(summary.sessions == 25)
        #expect(summary.bytesWritten > 100_000)
        #expect(summary.endings.count > 2)
    }
}

import FaultSuite
import Foundation
import Testing

/// The short form of `make torture`. WINCH_SEED reproduces a round.
@Suite struct `Killed at any moment` {
    private static let seed = UInt64(ProcessInfo.processInfo.environment["WINCH_SEED"] ?? "") ?? 1

    @Test func `thirty rounds end with every file whole, no entry lost and little fetched again`() async {
        let summary = await Torture(winch: Products.path("winch"), seed: Self.seed, jobs: 4).run(30, .kill)
        #expect(summary.isRight, "\(summary.failureLogs.joined(separator: "\n"))")
        #expect(summary.kills >= 30)
    }

    @Test func `five power losses end with every file whole`() async {
        let library = Products.path("libPowerLoss.so")
        let summary = await Torture(winch: Products.path("winch"), seed: Self.seed, jobs: 2)
            .run(5, .powerLoss(library: library))
        #expect(summary.isRight, "\(summary.failureLogs.joined(separator: "\n"))")
    }
}

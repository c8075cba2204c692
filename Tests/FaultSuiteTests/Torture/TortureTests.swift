import FaultSuite
import Foundation
import Testing

/// The short form of `make torture`. WINCH_SEED reproduces a round.
@Suite struct `Killing the program at random moments` {
    private static let seed = UInt64(ProcessInfo.processInfo.environment["WINCH_SEED"] ?? "") ?? 1

    @Test func `leaves every file complete and no entry lost in thirty rounds, with little downloaded twice`() async {
        let summary = await Torture(winch: Products.path("winch"), seed: Self.seed, jobs: 4).run(30, .kill)
        #expect(summary.isRight, "\(summary.failureLogs.joined(separator: "\n"))")
        #expect(summary.kills >= 30)
    }

    @Test func `leaves every file complete after five power losses`() async {
        let library = Products.path("libPowerLoss.so")
        let summary = await Torture(winch: Products.path("winch"), seed: Self.seed, jobs: 2)
            .run(5, .powerLoss(library: library))
        #expect(summary.isRight, "\(summary.failureLogs.joined(separator: "\n"))")
    }
}

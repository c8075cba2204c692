import Foundation
import TestSupport
import Testing

/// `make monkey` runs more sessions.
@Suite struct `Random input in a real terminal` {
    @Test func `breaks neither the program nor the terminal`() async {
        let count = Runs.count(of: "sessions") ?? 8
        let runs = await RandomRuns.of(count, jobs: 8, from: Runs.firstSeed("\(count) sessions")) { seed in
            try await MonkeySession.report(winch: Product.path("winch"), seed: seed)
        }
        expect(runs.failures.isEmpty, "\(runs.failures.joined(separator: "\n"))")
        expectEqual(runs.count, count)
        expectMore(runs.counts["bytes read", default: 0], than: count * 4000)
    }
}

/// `make torture` runs more rounds.
@Suite struct `Killing the program at random moments` {
    @Test func `leaves every file complete and no entry lost, with little downloaded twice`() async {
        let count = Runs.count(of: "rounds") ?? 6
        let runs = await RandomRuns.of(count, jobs: 4, from: Runs.firstSeed("\(count) rounds")) { seed in
            try await TortureRound.report(winch: Product.path("winch"), seed: seed)
        }
        expect(runs.failures.isEmpty, "\(runs.failures.joined(separator: "\n"))")
        expectEqual(runs.count, count)
        expectAtLeast(runs.counts["kills", default: 0], count)
        // Every third round.
        expectAtLeast(runs.counts["rounds with split files", default: 0], count / 3)
    }

    @Test func `leaves every file complete after power losses`() async {
        let count = Runs.count(of: "power_losses") ?? 2
        let runs = await RandomRuns.of(count, jobs: 2, from: Runs.firstSeed("\(count) power losses")) { seed in
            try await TortureRound.report(
                winch: Product.path("winch"), seed: seed, library: Product.path("libPowerLoss.so"))
        }
        expect(runs.failures.isEmpty, "\(runs.failures.joined(separator: "\n"))")
        expectEqual(runs.count, count)
    }
}

private enum Runs {
    /// WINCH_SESSIONS, WINCH_ROUNDS and WINCH_POWER_LOSSES; `nil`: a few.
    static func count(of name: String) -> Int? {
        ProcessInfo.processInfo.environment["WINCH_\(name.uppercased())"].flatMap { Int($0) }
    }

    /// WINCH_SEED, which repeats a run, or another one each time; printed.
    static func firstSeed(_ runs: String) -> UInt64 {
        let given = UInt64(ProcessInfo.processInfo.environment["WINCH_SEED"] ?? "")
        let seed = given ?? .random(in: 1...999_999)
        print("\(runs) from seed \(seed)")
        return seed
    }
}

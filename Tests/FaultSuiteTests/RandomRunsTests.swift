import TestSupport
import Testing

/// `make monkey` runs more sessions.
@Suite struct `Random input in a real terminal` {
    @Test func `breaks neither the program nor the terminal`() async {
        let count = Runs.count(of: "SESSIONS") ?? 8
        let runs = await RandomRuns.of(count, jobs: 8, from: Runs.firstSeed()) { seed in
            try await MonkeySession.report(winch: Product.path("winch"), seed: seed)
        }
        expectEqual(runs.count, count)
        expectMore(runs.counts["bytes read", default: 0], than: count * 4000)
    }
}

/// `make torture` runs more rounds.
@Suite struct `Killing the program at random moments` {
    @Test func `leaves every file complete and no entry lost, with little downloaded twice`() async {
        let count = Runs.count(of: "ROUNDS") ?? 6
        let runs = await RandomRuns.of(count, jobs: 4, from: Runs.firstSeed()) { seed in
            try await TortureRound.report(winch: Product.path("winch"), seed: seed)
        }
        expectEqual(runs.count, count)
        expectAtLeast(runs.counts["kills", default: 0], count)
        // Every third round.
        expectAtLeast(runs.counts["rounds with split files", default: 0], count / 3)
    }

    @Test func `leaves every file complete after power losses`() async {
        let count = Runs.count(of: "POWER_LOSSES") ?? 2
        let runs = await RandomRuns.of(count, jobs: 2, from: Runs.firstSeed()) { seed in
            try await TortureRound.report(
                winch: Product.path("winch"), seed: seed, library: Product.path("libPowerLoss.so"))
        }
        expectEqual(runs.count, count)
    }
}

/// Runs many rounds, several at a time, and sums up their reports.
package struct Torture: Sendable {
    let winch: String
    let seed: UInt64
    let jobs: Int

    package init(winch: String, seed: UInt64, jobs: Int) {
        self.winch = winch
        self.seed = seed
        self.jobs = jobs
    }

    /// The sums of all rounds.
    package struct Summary: Sendable {
        package var rounds = 0
        package var kills = 0
        /// Rounds whose files had several connections, and the requests for parts in them.
        package var splitRounds = 0
        package var partRequests = 0
        package var wrongFiles = 0
        package var lostEntries = 0
        package var overBudget = 0
        package var unexpectedFiles = 0
        package var fetchedAgain: Int64 = 0
        package var bytesLost: Int64 = 0
        package var maxRefetchShare = 0.0
        /// The faults of failed rounds, each with its seed.
        package var failureLogs: [String] = []

        package var isRight: Bool { failureLogs.isEmpty }

        fileprivate mutating func add(_ report: TortureRound.Report) {
            rounds += 1
            kills += report.kills
            splitRounds += TortureRound.isSplit(seed: report.seed) ? 1 : 0
            partRequests += report.partRequests
            wrongFiles += report.wrong.count
            lostEntries += report.lost.count
            overBudget += report.overBudget.count
            unexpectedFiles += report.unexpectedFiles.count
            fetchedAgain += report.fetchedAgain
            bytesLost += report.bytesLost
            maxRefetchShare = max(maxRefetchShare, report.maxRefetchShare)
            guard !report.isRight else { return }
            let faults =
                report.wrong + report.unexpectedFiles + report.lost.map { "\($0) was not in the queue any more" }
                + report.overBudget.map { "over budget: \($0)" }
            failureLogs.append("seed \(report.seed):\n  " + (faults + report.failureLog).joined(separator: "\n  "))
        }
    }

    /// Round `n` has the seed `seed + n`.
    ///
    /// - Parameter progress: called after each round.
    package func run(
        _ rounds: Int, _ interruption: TortureRound.Interruption, progress: (Summary) -> Void = { _ in }
    ) async -> Summary {
        var summary = Summary()
        await inTurns(rounds, jobs: jobs, from: seed) { seed in
            try await TortureRound(winch: winch, seed: seed, interruption: interruption).report()
        } then: { seed, result in
            switch result {
            case .success(let report): summary.add(report)
            case .failure(let error):
                summary.rounds += 1
                summary.failureLogs.append("seed \(seed): \(error)")
            }
            progress(summary)
        }
        return summary
    }
}

/// Runs `body` so many times, several at a time; run `n` has the seed `seed + n`.
///
/// - Parameter then: called after each run.
func inTurns<Report: Sendable>(
    _ count: Int, jobs: Int, from seed: UInt64, _ body: @escaping @Sendable (UInt64) async throws -> Report,
    then: (UInt64, Result<Report, any Error>) -> Void
) async {
    var next: UInt64 = 0
    await withTaskGroup(of: (UInt64, Result<Report, any Error>).self) { group in
        func add() {
            guard next < count else { return }
            let own = seed &+ next
            next += 1
            group.addTask {
                do {
                    return (own, .success(try await body(own)))
                } catch {
                    return (own, .failure(error))
                }
            }
        }
        for _ in 0..<jobs { add() }
        for await (own, result) in group {
            then(own, result)
            add()
        }
    }
}

/// - Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

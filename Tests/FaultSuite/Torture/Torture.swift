/// Runs many rounds, several at a time, and sums up their reports.
package struct Torture: Sendable {
    let winch: String
    let seed: UInt64
    let jobs: Int

    package init(winch: String, seed: UInt64, jobs: Int) {
        self.winch = winch
        self.seed = seed
        self.jobs = max(1, jobs)
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

        fileprivate mutating func add(_ error: any Error, seed: UInt64) {
            rounds += 1
            failureLogs.append("seed \(seed): \(error)")
        }
    }

    /// Round `n` has the seed `seed + n`.
    ///
    /// - Parameter progress: called after each round.
    package func run(
        _ rounds: Int, _ interruption: TortureRound.Interruption, progress: (Summary) -> Void = { _ in }
    ) async -> Summary {
        var summary = Summary()
        var next: UInt64 = 0
        await withTaskGroup(of: (UInt64, Result<TortureRound.Report, any Error>).self) { group in
            func add() {
                guard next < rounds else { return }
                let round = TortureRound(winch: winch, seed: seed &+ next, interruption: interruption)
                next += 1
                group.addTask {
                    do {
                        return (round.seed, .success(try await round.report()))
                    } catch {
                        return (round.seed, .failure(error))
                    }
                }
            }
            for _ in 0..<jobs { add() }
            for await (seed, result) in group {
                switch result {
                case .success(let report): summary.add(report)
                case .failure(let error): summary.add(error, seed: seed)
                }
                progress(summary)
                add()
            }
        }
        return summary
    }
}

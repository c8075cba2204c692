/// Runs many sessions, several at a time, and sums up their reports.
package struct Monkey: Sendable {
    let winch: String
    let seed: UInt64
    let jobs: Int

    package init(winch: String, seed: UInt64, jobs: Int) {
        self.winch = winch
        self.seed = seed
        self.jobs = max(1, jobs)
    }

    /// The sums of all sessions.
    package struct Summary: Sendable {
        package var sessions = 0
        package var steps = 0
        package var bytesWritten = 0
        package var stops = 0
        package var picturesCompared = 0
        /// Number of sessions by their end: the exit code, or minus the signal.
        package var endings: [Int32: Int] = [:]
        /// The faults of failed sessions, each with its seed.
        package var failureLogs: [String] = []

        package var isRight: Bool { failureLogs.isEmpty }

        fileprivate mutating func add(_ report: MonkeyReport) {
            sessions += 1
            steps += report.steps
            bytesWritten += report.bytesWritten
            stops += report.stops
            picturesCompared += report.picturesCompared
            if let ending = report.ending { endings[ending, default: 0] += 1 }
            if !report.faults.isEmpty { failureLogs.append(report.words) }
        }
    }

    /// Session `n` has the seed `seed + n`.
    ///
    /// - Parameter tell: called after each session.
    package func run(_ sessions: Int, progress: (Summary, MonkeyReport?) -> Void = { _, _ in }) async -> Summary {
        var summary = Summary()
        var next: UInt64 = 0
        await withTaskGroup(of: (UInt64, Result<MonkeyReport, any Error>).self) { group in
            func add() {
                guard next < sessions else { return }
                let session = MonkeySession(winch: winch, seed: seed &+ next)
                next += 1
                group.addTask {
                    do {
                        return (session.seed, .success(try await session.report()))
                    } catch {
                        return (session.seed, .failure(error))
                    }
                }
            }
            for _ in 0..<jobs { add() }
            for await (seed, result) in group {
                switch result {
                case .success(let report):
                    summary.add(report)
                    progress(summary, report)
                case .failure(let error):
                    summary.sessions += 1
                    summary.failureLogs.append("seed \(seed): \(error)")
                    progress(summary, nil)
                }
                add()
            }
        }
        return summary
    }
}

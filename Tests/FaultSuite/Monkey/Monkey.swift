import FaultServer
import Foundation

/// Runs many sessions, several at a time, and sums up their reports.
package struct Monkey: Sendable {
    let winch: String
    let seed: UInt64
    let jobs: Int

    package init(winch: String, seed: UInt64, jobs: Int) {
        self.winch = winch
        self.seed = seed
        self.jobs = jobs
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
    /// - Parameter progress: called after each session.
    package func run(_ sessions: Int, progress: (Summary) -> Void = { _ in }) async -> Summary {
        var summary = Summary()
        await inTurns(sessions, jobs: jobs, from: seed) { seed in
            try await MonkeySession(winch: winch, seed: seed).report()
        } then: { seed, result in
            switch result {
            case .success(let report): summary.add(report)
            case .failure(let error):
                summary.sessions += 1
                summary.failureLogs.append("seed \(seed): \(error)")
            }
            progress(summary)
        }
        return summary
    }
}

/// One session: random input to winch in a terminal, from its start to the check of the files that it leaves.
package struct MonkeySession: Sendable {
    let winch: String
    let seed: UInt64

    package init(winch: String, seed: UInt64) {
        self.winch = winch
        self.seed = seed
    }

    package func report() async throws -> MonkeyReport {
        try await FaultServer.serving { server in
            let plan = MonkeyPlan(seed: seed, origin: server.origin)
            let scratch = try Scratch()
            guard mkdir(scratch["bin"], 0o755) == 0 else { throw SuiteFailure.cannotPrepare("bin") }
            try scratch.write(plan.batch, to: plan.batchName)
            try MonkeyUploads.write(to: scratch)
            var report = try await onThread {
                let runner = try MonkeyRunner(plan, winch: winch, in: scratch)
                return runner.report()
            }
            let fileCheck = MonkeyFileCheck(plan: plan, winch: winch, scratch: scratch)
            report.faults += try await fileCheck.faults(server.requests)
            if plan.runsAgain, report.ending != nil {
                report.faults += try await fileCheck.runAgain { server.requests }
            }
            report.faults += MonkeyUploads.faults(in: scratch, server)
            return report
        }
    }

    /// Waiting for a terminal blocks a thread: it must not be one of the pool that tasks share.
    private func onThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            let thread = Thread { continuation.resume(with: Swift.Result(catching: body)) }
            thread.stackSize = 4 << 20
            thread.start()
        }
    }
}

/// The result of a session.
package struct MonkeyReport: Sendable {
    package let seed: UInt64
    /// What was wrong; empty for a good session.
    package var faults: [String] = []
    /// Exit code, or minus the signal; `nil`: it hung.
    package var ending: Int32?
    package var steps = 0
    package var bytesWritten = 0
    package var stops = 0
    package var picturesCompared = 0
    /// How the session was started, and its last steps; printed with a fault.
    var failureLog: [String] = []

    init(seed: UInt64) { self.seed = seed }

    package var words: String {
        "seed \(seed):\n  " + (faults.map { "✘ " + $0 } + failureLog).joined(separator: "\n  ")
    }
}

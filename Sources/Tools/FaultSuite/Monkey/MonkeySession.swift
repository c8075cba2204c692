import FaultServer
import Foundation

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

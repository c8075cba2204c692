import WinchQueue

extension NetworkQueue {
    /// The results of all transfers.
    public struct Summary: Hashable, Sendable {
        /// The result of each transfer, in the order of adding.
        public let results: [TransferResult]

        /// The exit code of the command `winch`: 0 when all files are complete, 7 when transfers are unfinished, else aria2's
        /// code if it is the same for all failures, else 1.
        public var exitCode: Int32 { run.exitCode }

        /// One line for the user, such as `3 finished, 1 failed`.
        public var words: String { run.words }

        private var run: RunSummary {
            var run = RunSummary()
            for result in results {
                switch result.ending {
                case .finished: run.finished += 1
                case .failed(let failure): run.failures.append(failure)
                case .cancelled: run.cancelled += 1
                case .unfinished: run.unfinished += 1
                }
            }
            return run
        }
    }
}

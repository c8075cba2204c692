import WinchCore

extension NetworkQueue {
    /// How everything ended.
    public struct Summary: Hashable, Sendable {
        /// One for each transfer, in the order of adding.
        public let results: [TransferResult]

        /// 0 everything is there, 7 work is unfinished, else aria2's code when all failures share it, else 1.
        public var exitCode: Int32 { run.exitCode }

        /// One line for a person, such as `3 finished, 1 failed`.
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

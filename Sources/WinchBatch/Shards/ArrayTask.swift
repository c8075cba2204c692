import WinchModel

/// One task of an array job, as the scheduler describes it in the environment.
///
/// - Source: sbatch(1), "Output environment variables"; Kubernetes, "Indexed Job"; AWS Batch, "Job environment variables";
///   OpenPBS, qsub(1B).
enum ArrayTask: CaseIterable {
    case slurm
    case kubernetes
    case awsBatch
    case openPBS

    var indexName: String {
        switch self {
        case .slurm: "SLURM_ARRAY_TASK_ID"
        case .kubernetes: "JOB_COMPLETION_INDEX"
        case .awsBatch: "AWS_BATCH_JOB_ARRAY_INDEX"
        case .openPBS: "PBS_ARRAY_INDEX"
        }
    }

    /// - Parameter count: the number of parts that was given; `nil`: the environment says it.
    static func shard(count: Int?, in environment: [String: String]) throws(InvalidValue) -> Shard {
        let found = allCases.filter { environment[$0.indexName] != nil }
        guard let task = found.first else {
            let names = allCases.map(\.indexName).joined(separator: ", ")
            throw InvalidValue("auto finds no array job: none of \(names) is set; use 3/8")
        }
        guard found.count == 1 else {
            let names = found.map(\.indexName).joined(separator: " and ")
            throw InvalidValue("auto finds two array jobs: \(names) are set; use 3/8")
        }
        let variables = Variables(environment)
        return switch (task, count) {
        case (.slurm, let count?): try slurm(variables, count: count)
        case (.slurm, nil): try slurm(variables)
        case (.awsBatch, let count): try awsBatch(variables, count: count)
        case (.kubernetes, let count?), (.openPBS, let count?):
            try Shard(variables.number(task.indexName), of: count)
        case (.kubernetes, nil):
            throw InvalidValue("Kubernetes does not say how many pods a job has; use auto/N with its completions")
        case (.openPBS, nil):
            throw InvalidValue("PBS does not say how many tasks a job has; use auto/N, and qsub -J 0-(N-1)")
        }
    }

    /// The array `--array=MIN-MAX:STEP` is the whole list.
    private static func slurm(_ variables: Variables) throws(InvalidValue) -> Shard {
        let id = try variables.number(slurm.indexName)
        let first = try variables.number("SLURM_ARRAY_TASK_MIN")
        let count = try variables.number("SLURM_ARRAY_TASK_COUNT")
        let step = try variables.numberIfSet("SLURM_ARRAY_TASK_STEP") ?? 1
        // `--array=3` runs one task of an earlier array again: it must not take the whole list.
        guard first < 2 else {
            throw InvalidValue(
                "the Slurm array begins at \(first), not at 0 or 1, so it may be a part of another; use auto/N")
        }
        guard step > 0, id >= first, (id - first).isMultiple(of: step), (id - first) / step < count else {
            throw InvalidValue(gaps)
        }
        if let last = try variables.numberIfSet("SLURM_ARRAY_TASK_MAX"), last - first != (count - 1) * step {
            throw InvalidValue(gaps)
        }
        return try Shard((id - first) / step, of: count)
    }

    private static let gaps =
        "the Slurm array has gaps, so its tasks are not all parts of the list; use auto/N, and --array=0-(N-1)"

    /// Tasks of an array `0-(N-1)`, of which a later job may run some again.
    private static func slurm(_ variables: Variables, count: Int) throws(InvalidValue) -> Shard {
        let id = try variables.number(slurm.indexName)
        // In all tasks, so that not only the last one fails where the array is counted from 1.
        let last = max(id, try variables.numberIfSet("SLURM_ARRAY_TASK_MAX") ?? id)
        guard last < count else {
            throw InvalidValue(
                "auto/\(count) counts from 0, so the Slurm array is --array=0-\(count - 1), and \(last) is beyond")
        }
        return try Shard(id, of: count)
    }

    private static func awsBatch(_ variables: Variables, count: Int?) throws(InvalidValue) -> Shard {
        let index = try variables.number(awsBatch.indexName)
        let sizeName = "AWS_BATCH_JOB_ARRAY_SIZE"
        guard let count else { return try Shard(index, of: try variables.number(sizeName)) }
        if let size = try variables.numberIfSet(sizeName), size != count {
            throw InvalidValue("auto/\(count) does not fit the array: \(sizeName) is \(size)")
        }
        return try Shard(index, of: count)
    }

    private struct Variables {
        private let environment: [String: String]

        init(_ environment: [String: String]) {
            self.environment = environment
        }

        func number(_ name: String) throws(InvalidValue) -> Int {
            guard let number = try numberIfSet(name) else { throw InvalidValue("auto needs \(name), which is not set") }
            return number
        }

        /// At most nine digits, so that sums of them never overflow.
        func numberIfSet(_ name: String) throws(InvalidValue) -> Int? {
            guard let text = environment[name] else { return nil }
            guard text.utf8.count < 10, let number = Int(digits: text) else {
                throw InvalidValue("\(name) is '\(text.prefix(40))', which is no number from 0 up")
            }
            return number
        }
    }
}

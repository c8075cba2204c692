import TestSupport
import Testing

@testable import WinchBatch
@testable import WinchModel

@Suite struct `The choice of a shard` {
    @Test(arguments: [("3/8", "3/8"), ("0/1", "0/1"), ("999999/1000000", "999999/1000000"), ("03/08", "3/8")])
    func `names it`(text: String, shard: String) throws {
        try expectEqual(ShardChoice(reading: text).shard(in: [:]).text, shard)
    }

    @Test(arguments: [
        "", "3", "/", "3/", "/8", "3/8/2", "-1/8", "+1/8", " 1/8", "1/ 8", "1.5/8", "8/8", "0/0", "auto/", "auto/0",
        "auto/x",
        "auto/8/8", "automatic", "٣/8", "99999999999999999999/8", "auto/99999999999999999999", "none",
    ])
    func `is refused when it is none`(text: String) {
        #expect(throws: InvalidValue.self) { try ShardChoice(reading: text) }
    }

    private static func slurm(_ id: Int, _ first: Int, _ last: Int, count: Int, step: Int? = nil) -> [String: String] {
        var found = [
            "SLURM_ARRAY_TASK_ID": "\(id)", "SLURM_ARRAY_TASK_MIN": "\(first)", "SLURM_ARRAY_TASK_MAX": "\(last)",
            "SLURM_ARRAY_TASK_COUNT": "\(count)",
        ]
        found["SLURM_ARRAY_TASK_STEP"] = step.map { "\($0)" }
        return found
    }

    @Test(arguments: [
        ("auto", slurm(3, 0, 7, count: 8, step: 1), "3/8"), ("auto", slurm(8, 1, 8, count: 8, step: 1), "7/8"),
        ("auto", slurm(4, 0, 14, count: 8, step: 2), "2/8"), ("AUTO", slurm(0, 0, 0, count: 1), "0/1"),
        ("auto/8", slurm(3, 3, 5, count: 2, step: 1), "3/8"), ("auto/8", ["SLURM_ARRAY_TASK_ID": "7"], "7/8"),
        ("auto/8", ["JOB_COMPLETION_INDEX": "0"], "0/8"),
        ("auto", ["AWS_BATCH_JOB_ARRAY_INDEX": "5", "AWS_BATCH_JOB_ARRAY_SIZE": "6"], "5/6"),
        ("auto/6", ["AWS_BATCH_JOB_ARRAY_INDEX": "5", "AWS_BATCH_JOB_ARRAY_SIZE": "6"], "5/6"),
        ("auto/6", ["AWS_BATCH_JOB_ARRAY_INDEX": "5"], "5/6"), ("auto/4", ["PBS_ARRAY_INDEX": "2"], "2/4"),
        ("1/2", slurm(3, 0, 7, count: 8), "1/2"),
    ])
    func `is left to the scheduler`(text: String, environment: [String: String], shard: String) throws {
        try expectEqual(ShardChoice(reading: text).shard(in: environment).text, shard)
    }

    @Test(
        arguments: [
            ("auto", [:], "no array job"), ("auto/8", ["HOME": "/"], "no array job"),
            ("auto", ["SLURM_ARRAY_TASK_ID": "3"], "SLURM_ARRAY_TASK_MIN"),
            ("auto", ["SLURM_ARRAY_TASK_ID": "3", "SLURM_ARRAY_TASK_MIN": "0"], "SLURM_ARRAY_TASK_COUNT"),
            ("auto", slurm(7, 1, 7, count: 3, step: 1), "gaps"), ("auto", slurm(1, 1, 7, count: 3, step: 1), "gaps"),
            ("auto", slurm(3, 0, 14, count: 8, step: 2), "gaps"), ("auto", slurm(0, 1, 8, count: 8), "gaps"),
            ("auto", slurm(0, 0, 7, count: 8, step: 0), "gaps"),
            // --array=3 runs one task of another array again.
            ("auto", slurm(3, 3, 3, count: 1, step: 1), "auto/N"),
            // Counted from 1: every task refuses, not only the last.
            ("auto/8", slurm(1, 1, 8, count: 8, step: 1), "--array=0-7"),
            ("auto/2", slurm(2, 2, 2, count: 1), "--array=0-1"),
            ("auto", ["JOB_COMPLETION_INDEX": "0"], "auto/N"), ("auto/8", ["JOB_COMPLETION_INDEX": "8"], "0"),
            ("auto/8", ["JOB_COMPLETION_INDEX": ""], "no number"),
            ("auto/8", ["JOB_COMPLETION_INDEX": "-1"], "no number"),
            ("auto", ["AWS_BATCH_JOB_ARRAY_INDEX": "5"], "AWS_BATCH_JOB_ARRAY_SIZE"),
            ("auto/8", ["AWS_BATCH_JOB_ARRAY_INDEX": "5", "AWS_BATCH_JOB_ARRAY_SIZE": "6"], "SIZE is 6"),
            ("auto", ["PBS_ARRAY_INDEX": "2"], "auto/N"), ("auto/4", ["PBS_ARRAY_INDEX": "4"], "3/4"),
            ("auto/4", ["PBS_ARRAY_INDEX": "two"], "'two'"),
            ("auto/4", ["PBS_ARRAY_INDEX": "99999999999999999999"], "no number"),
            ("auto/8", ["PBS_ARRAY_INDEX": "1", "JOB_COMPLETION_INDEX": "1"], "two array jobs"),
        ] as [(String, [String: String], String)])
    func `is refused when the scheduler's environment does not say it`(
        text: String, environment: [String: String], words: String
    ) throws {
        let choice = try ShardChoice(reading: text)
        let invalid = #expect(throws: InvalidValue.self) { try choice.shard(in: environment) }
        expectEqual(invalid?.message.contains(words), true, "\(invalid?.message ?? "")")
    }
}

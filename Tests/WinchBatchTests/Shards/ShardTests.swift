import TestSupport
import Testing

@testable import WinchBatch
@testable import WinchModel

@Suite struct `A shard` {
    private static func specs(_ text: String) -> [TransferSpec] {
        BatchParser(folder: "/f", settings: TransferSettings()).parse(Array(text.utf8)).specs
    }

    /// Entries of every kind, `count` of each.
    private static func list(_ count: Int, seed: UInt64) -> [TransferSpec] {
        var random = SplitMix64(seed: seed)
        let text = (0..<count).map { _ in
            let number = random.next() % UInt64(2 * count)
            return """
                http://h/\(number)
                http://h/\(number)\thttp://mirror/\(number)
                  out=name\(number)
                http://h/put/
                  upload=/u/\(number)
                http://h/post
                  form=a=\(number)
                sftp://h/\(number)
                  dir=/d\(number % 3)

                """
        }
        return specs(text.joined())
    }

    @Test(arguments: [(1, 1), (2, 2), (3, 3), (8, 4), (97, 5), (1000, 6)] as [(Int, UInt64)])
    func `and the others have every entry exactly once, duplicates too`(count: Int, seed: UInt64) throws {
        let list = Self.list(60, seed: seed)
        expectEqual(list.count, 300)
        let shards = try (0..<count).map { try Shard($0, of: count) }
        for spec in list where count < 100 || spec == list.first { expectEqual(shards.count { $0.contains(spec) }, 1) }
        // Of those that are the same for the filter of duplicates, all are in one shard.
        var places: [WantedFile: Int] = [:]
        for spec in list {
            let place = Shard.index(of: spec.shardHash, among: count)
            if let wanted = spec.wanted { expectEqual(places.updateValue(place, forKey: wanted) ?? place, place) }
        }
    }

    @Test func `gets of a longer list what it had, and new entries`() throws {
        let (short, more) = (Self.list(100, seed: 7), Self.list(100, seed: 8))
        for index in 0..<8 {
            let shard = try Shard(index, of: 8)
            let before = short.filter { shard.contains($0) }
            let after = (more + short).filter { shard.contains($0) }
            expectEqual(after.suffix(before.count), before[...])
        }
    }

    @Test(arguments: [2, 8, 30]) func `has about as many entries as the others`(count: Int) {
        let sizes = Self.specs((0..<6000).map { "http://h/files/\($0).tar.gz\n" }.joined())
            .reduce(into: [Int](repeating: 0, count: count)) { $0[Shard.index(of: $1.shardHash, among: count)] += 1 }
        let mean = 6000 / count
        // Five standard deviations; the hashes are the same in each run.
        let bound = 5 * Int(Double(mean).squareRoot())
        for size in sizes { expect((mean - bound...mean + bound).contains(size), "\(sizes)") }
    }

    @Test func `keeps most of its entries when there are more shards`() {
        let list = Self.list(1000, seed: 9)
        let moved = list.filter {
            Shard.index(of: $0.shardHash, among: 8) != Shard.index(of: $0.shardHash, among: 10)
        }
        expect((list.count * 15 / 100...list.count * 25 / 100).contains(moved.count))
        // None moves between the shards that were there before.
        for spec in moved { expectAtLeast(Shard.index(of: spec.shardHash, among: 10), 8) }
    }

    /// Computed by another program from the description; must never change.
    @Test(arguments: [
        ("http://h/a", [0, 0, 5, 18, 119_607]), ("http://h/a\n out=x", [0, 0, 4, 425, 304_356]),
        ("https://example.org/disk.iso\n out=images/disk.iso", [0, 1, 5, 278, 613_944]),
        ("http://h/u\n upload=/somewhere/disk.iso", [0, 1, 7, 616, 340_899]), ("http://h/ü", [0, 0, 7, 883, 451_720]),
        ("http://h/%C3%BC", [0, 0, 7, 883, 451_720]),
    ])
    func `has the same entries in every version`(entry: String, expected: [Int]) throws {
        let hash = try require(Self.specs(entry).first).shardHash
        expectEqual([1, 2, 8, 1000, 1_000_000].map { Shard.index(of: hash, among: $0) }, expected)
    }

    @Test(arguments: [
        ("HTTP://H:80/x/../a", "http://h/a"), ("http://me:secret@h/a", "http://h/a"),
        ("http://h/a\thttp://m/a", "http://h/a"),
        ("http://h/a\n  dir=/other", "http://h/a"), ("http://h/a\n  header=A: b", "http://h/a"),
        ("http://h/p\n  upload=/home/anna/x", "http://h/p\n  upload=/home/ben/x"),
        ("http://h/p\n  form=a=@/home/anna/x", "http://h/p\n  form=a=@/home/ben/x"),
    ])
    func `is the same for an entry that is written in another way, or on another machine`(one: String, other: String)
        throws
    {
        try expectEqual(require(Self.specs(one).first).shardHash, try require(Self.specs(other).first).shardHash)
    }

    @Test(arguments: [(0, 0), (-1, 2), (2, 2), (0, -1), (0, 1_000_001), (.max, .max)])
    func `is refused when there is none of that number`(index: Int, count: Int) {
        #expect(throws: InvalidValue.self) { try Shard(index, of: count) }
    }

    @Test func `says how much of the list it has`() throws {
        var figures = ShardFigures(try Shard(3, of: 8))
        (figures.entries, figures.listed) = (1250, 10_000)
        expectEqual(figures.words, "shard 3/8: 1,250 of 10,000 entries")
        (figures.entries, figures.listed) = (0, 1)
        expectEqual(figures.words, "shard 3/8: 0 of 1 entry")
    }
}

@Suite struct `The hash of a shard` {
    /// Computed by another program from the description. These values must never change: they say which machine fetches what.
    @Test(
        arguments: [
            (["http://h/a", ""], 0x7545_413F_85CC_4D0F), (["http://h/a", "x"], 0x8A12_188D_939E_AB4D),
            (["https://example.org/disk.iso", "images/disk.iso"], 0xF727_C9DC_ECA2_7442),
            (["http://h/u", "", "disk.iso"], 0x5244_72AF_EC6D_DCFA), (["http://h/ü", ""], 0xF5C3_4462_5FC5_67EC),
        ] as [([String], UInt64)])
    func `has the same value in every version`(texts: [String], value: UInt64) {
        var hash = ShardHash()
        for text in texts { hash.combine(text) }
        expectEqual(hash.value, value)
    }

    @Test func `tells where one text ends and the next begins`() {
        func value(_ texts: String...) -> UInt64 {
            var hash = ShardHash()
            for text in texts { hash.combine(text) }
            return hash.value
        }
        expect(value("a", "bc") != value("ab", "c"))
        expect(value("a") != value("a", ""))
    }
}

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

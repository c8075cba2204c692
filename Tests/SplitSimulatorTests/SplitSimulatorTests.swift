import Testing

@testable import winch_split_simulator

@Suite struct `One file over several connections, simulated` {
    private static func report(_ name: String, seeds: UInt64 = 3) throws -> SplitReport {
        let (scenario, most) = try #require(SplitScenario.all.first { $0.scenario.name == name })
        return SplitReport(scenario, most: most, seeds: seeds)
    }

    @Test(arguments: SplitScenario.all.map(\.scenario).filter { $0.size <= 64_000_000 }.map(\.name))
    func `is complete, close to the time of a perfect client, and wastes nothing`(name: String) throws {
        let report = try Self.report(name)
        #expect(report.results.allSatisfy { $0.isComplete })
        #expect(report.median <= report.most, "\(report.ratios)")
        // A server that sends bursts of 2 MB has one of them on the way when the first connection is cut.
        let waste = name.contains("bursts") || name.contains("in all") ? 1.04 : 1.011
        #expect(report.results.allSatisfy { $0.servedOverSize <= waste }, "\(report.results.map(\.servedOverSize))")
    }

    @Test func `runs eight connections of an even line within half a second`() throws {
        for name in ["eight of 4 MB/s", "eight of 4 MB/s, slices of 50 ms", "eight of 4 MB/s, bursts of 2 MB"] {
            for result in try Self.report(name).results { #expect(result.reached[8] ?? .infinity <= 500, "\(name)") }
        }
    }

    @Test(arguments: [
        ("429 above 1", 1), ("429 above 3", 1), ("429 above 5", 3), ("a ban of 5 s above 2", 5),
        ("a URL for one request that does not say so", 1),
    ])
    func `is refused rarely`(name: String, most: Int) throws {
        for result in try Self.report(name).results { #expect(result.refusals <= most, "\(result.log)") }
    }

    @Test func `asks for a signed URL once`() throws {
        let results = try Self.report("a URL for one request").results
        #expect(results.allSatisfy { $0.requests == 1 })
    }

    @Test func `gives back the second connection of a line that one fills`() throws {
        let results = try Self.report("8 MB/s in all").results
        // Noise may look like a gain, but not often, and not of eight connections.
        #expect(
            results.count { $0.log.contains { $0.contains("second connection") && $0.contains("given back") } } >= 2)
        #expect(results.allSatisfy { $0.reached[8] == nil })
    }

    @Test func `is the same again under the same seed`() throws {
        let (first, second) = (try Self.report("one dies", seeds: 2), try Self.report("one dies", seeds: 2))
        #expect(first.results.map(\.log) == second.results.map(\.log))
    }
}

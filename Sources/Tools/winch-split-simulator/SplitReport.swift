/// A scenario under several seeds.
struct SplitReport {
    let scenario: SplitScenario
    let most: Double
    /// Times over the ideal, sorted.
    let ratios: [Double]
    let results: [SimulatedResult]
    /// Of a perfect client, in milliseconds; of the first seed.
    let ideal: Double

    init(_ scenario: SplitScenario, most: Double, seeds: UInt64) {
        self.scenario = scenario
        self.most = most
        results = (0..<seeds).map { seed in
            var transfer = SimulatedTransfer(scenario, seed: seed)
            return transfer.run()
        }
        var ideals: [Double] = []
        for seed in 0..<seeds { ideals.append(scenario.time(with: scenario.bestCount, seed: seed)) }
        ratios = zip(results, ideals).map { $0.milliseconds / $1 }.sorted()
        ideal = ideals.first ?? 0
    }

    /// Of one connection without a fault, in milliseconds.
    private var single: Double {
        var plain = scenario
        plain.fault = nil
        return plain.time(with: 1, seed: 0)
    }

    var median: Double { ratios[ratios.count / 2] }
    var worst: Double { ratios.last ?? 0 }

    /// A row of the table.
    var line: String {
        let requests = results.map(\.requests).max() ?? 0
        let refusals = results.map(\.refusals).max() ?? 0
        let served = results.map(\.servedOverSize).max() ?? 0
        let eight = results.map { $0.reached[8] ?? .infinity }.sorted()[results.count / 2]
        let isDone = results.allSatisfy(\.isComplete)
        return [
            Self.pad(scenario.name, 44, isLeft: true), Self.pad(Self.fixed(ideal / 1000, 2), 7),
            Self.pad(Self.fixed(single / 1000, 2), 7), Self.pad(Self.fixed(median, 3), 8),
            Self.pad(Self.fixed(worst, 3) + (isDone ? " " : "!"), 8), Self.pad(Self.fixed(most, 2), 5),
            Self.pad("\(requests)", 4), Self.pad("\(refusals)", 4), Self.pad(Self.fixed(served, 4), 7),
            Self.pad(eight.isFinite ? "\(Int(eight))" : "-", 5),
        ].joined(separator: " ")
    }

    private static func pad(_ text: String, _ width: Int, isLeft: Bool = false) -> String {
        let blanks = String(repeating: " ", count: max(0, width - text.count))
        return isLeft ? text + blanks : blanks + text
    }

    private static func fixed(_ value: Double, _ digits: Int) -> String {
        guard value.isFinite, abs(value) < 1e9 else { return "-" }
        let scale = (0..<digits).reduce(1) { power, _ in power * 10 }
        let whole = Int((value * Double(scale)).rounded())
        let rest = String(whole % scale)
        return "\(whole / scale)." + String(repeating: "0", count: digits - rest.count) + rest
    }
}

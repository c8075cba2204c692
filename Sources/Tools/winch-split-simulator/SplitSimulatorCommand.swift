/// Simulates one file over several connections and prints the time against that of a perfect client and of one connection.
///
///     winch-split-simulator [--log] [NAME] [SEEDS]      of each scenario the median and the worst of so many seeds
@main
enum Main {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        let seeds = UInt64(arguments.last.flatMap { UInt64($0) } ?? 9)
        print(
            "scenario                                       ideal    one     x ideal  worst  most  req  ref  served  8 at"
        )
        let only = arguments.first { !$0.hasPrefix("--") && UInt64($0) == nil } ?? ""
        for (scenario, most) in SplitScenario.all where scenario.name.contains(only) || only.isEmpty {
            print(SplitReport(scenario, most: most, seeds: max(1, seeds)).line)
            guard arguments.contains("--log") else { continue }
            var transfer = SimulatedTransfer(scenario, seed: seeds - 1)
            for line in transfer.run().log { print("    \(line)") }
        }
    }
}

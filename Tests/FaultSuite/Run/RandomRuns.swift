/// What one run did.
package struct RunReport: Sendable {
    /// What was wrong; empty for a good run.
    package var faults: [String] = []
    /// How often something has happened, by its name.
    package var counts: [String: Int] = [:]
    /// Printed with the faults.
    package var log: [String] = []
}

/// The sums of many runs, each of which a seed determines.
package struct RandomRuns: Sendable {
    package private(set) var count = 0
    package private(set) var counts: [String: Int] = [:]
    /// What was wrong in failed runs, each with its seed.
    package private(set) var failures: [String] = []

    /// Runs `body` so many times, several at a time; run `n` has the seed `seed + n`.
    ///
    /// - Parameter progress: called after each run.
    package static func of(
        _ count: Int, jobs: Int, from seed: UInt64,
        _ body: @escaping @Sendable (UInt64) async throws -> RunReport, progress: (RandomRuns) -> Void = { _ in }
    ) async -> RandomRuns {
        var (runs, next) = (RandomRuns(), UInt64(0))
        await withTaskGroup(of: (UInt64, RunReport).self) { group in
            func add() {
                guard next < count else { return }
                let own = seed &+ next
                next += 1
                group.addTask {
                    do {
                        return (own, try await body(own))
                    } catch {
                        return (own, RunReport(faults: ["\(error)"]))
                    }
                }
            }
            for _ in 0..<jobs { add() }
            for await (own, report) in group {
                runs.count += 1
                runs.counts.merge(report.counts, uniquingKeysWith: +)
                if !report.faults.isEmpty {
                    let lines = report.faults.map { "✘ " + $0 } + report.log
                    runs.failures.append("seed \(own):\n  " + lines.joined(separator: "\n  "))
                }
                progress(runs)
                add()
            }
        }
        return runs
    }
}

/// - Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014.
struct SplitMix: RandomNumberGenerator, Sendable {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

    mutating func chance(_ percent: Int) -> Bool { int(0...99) < percent }

    /// - Parameter list: not empty.
    mutating func pick<Element>(_ list: [Element]) -> Element { list[int(0...list.count - 1)] }
}

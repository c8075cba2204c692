import Testing
import WinchModel

/// What one run did.
struct RunReport: Sendable {
    /// What was wrong; empty for a good run.
    var faults: [String] = []
    /// How often something has happened, by its name.
    var counts: [String: Int] = [:]
    /// Printed with the faults.
    var log: [String] = []
}

/// The sums of many runs, each of which a seed determines.
struct RandomRuns: Sendable {
    private(set) var count = 0
    private(set) var counts: [String: Int] = [:]

    /// Runs `body` so many times, several at a time; run `n` has the seed `seed + n`. A run with faults is an issue of the test.
    static func of(
        _ count: Int, jobs: Int, from seed: UInt64,
        _ body: @escaping @Sendable (UInt64) async throws -> RunReport
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
                    // Told at once: many runs take hours.
                    Issue.record("seed \(own):\n  \(lines.joined(separator: "\n  "))")
                }
                add()
            }
        }
        return runs
    }
}

extension SplitMix64 {
    mutating func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

    mutating func chance(_ percent: Int) -> Bool { int(0...99) < percent }

    /// - Parameter list: not empty.
    mutating func pick<Element>(_ list: [Element]) -> Element { list[int(0...list.count - 1)] }
}

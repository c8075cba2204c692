import Foundation

@testable import winch_replay

/// The errors of the time left on one trace; lower is better.
///
/// - Note: a sample without a time left counts as an error of 100 % of the true one.
struct Score {
    /// The error as a share of the true time left, which counts as one second at least: the median, and the ninth decile.
    let median: Double
    let ninthDecile: Double
    /// Seconds from a change of the true rate until the time left has been within 20 % of the oracle's for 3 s; the mean over
    /// all changes. `nil`: the trace has none.
    let convergence: Double?
    /// How unsteadily the predicted end moves: the mean of its absolute second difference, in seconds per second.
    let jitter: Double
    /// The share of samples without a time left, or with one that is more than 100 times too long.
    let absurd: Double

    init(_ samples: [Replay.Sample], truth: Truth) {
        let told = samples.map { $0.figures.timeLeft.map(Double.init) }
        var errors: [Double] = []
        var absurd = 0
        for (index, told) in told.enumerated() where truth.mask[index] != 0 {
            let actual = max(truth.true[index], 1)
            errors.append(told.map { abs($0 - truth.true[index]) / actual } ?? 1)
            if told.map({ $0 < 0 || $0 > 100 * actual }) != false { absurd += 1 }
        }
        median = Self.quantile(0.5, of: errors)
        ninthDecile = Self.quantile(0.9, of: errors)
        self.absurd = Double(absurd) / Double(max(errors.count, 1))
        jitter = Self.jitter(told, truth)
        let times = truth.changes.compactMap { Self.convergence(told, truth, $0) }
        convergence = times.isEmpty ? nil : times.reduce(0, +) / Double(times.count)
    }

    private static func quantile(_ share: Double, of values: [Double]) -> Double {
        let sorted = values.sorted()
        guard let last = sorted.indices.last else { return .nan }
        let place = share * Double(last)
        let (low, high) = (sorted[Int(place)], sorted[min(Int(place) + 1, last)])
        return low + (high - low) * (place - place.rounded(.down))
    }

    private static func jitter(_ told: [Double?], _ truth: Truth) -> Double {
        let start = truth.true.max() ?? 0
        let ends = told.indices.map { index in
            truth.mask[index] == 0 ? nil : told[index].map { start - truth.true[index] + $0 }
        }
        let second = ends.count > 12 ? 4 : 1
        let bends = ends.indices.dropFirst(second).dropLast(second).compactMap { index -> Double? in
            guard let before = ends[index - second], let now = ends[index], let after = ends[index + second] else {
                return nil
            }
            return abs(before - 2 * now + after)
        }
        return bends.isEmpty ? 0 : bends.reduce(0, +) / Double(bends.count)
    }

    private static func convergence(_ told: [Double?], _ truth: Truth, _ change: [Double?]) -> Double? {
        guard let begin = change.first ?? nil, begin < truth.duration - 3 else { return nil }
        let end = min((change.last ?? nil) ?? truth.duration, truth.duration)
        let places = told.indices.filter { (begin..<end).contains(Double($0 + 1) / 4) }
        var run = 0
        for (count, place) in places.enumerated() {
            let oracle = truth.oracle[place]
            let isNear = told[place].map { abs($0 - oracle) <= 0.2 * max(oracle, 1) } ?? false
            run = isNear ? run + 1 : 0
            if run >= min(12, places.count) || (count == places.count - 1 && run >= min(4, places.count)) {
                return max(0, Double(place - run + 2) / 4 - begin)
            }
        }
        return end - begin
    }
}

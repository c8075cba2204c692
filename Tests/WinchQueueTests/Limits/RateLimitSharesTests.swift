import TestSupport
import Testing

@testable import WinchModel
@testable import WinchQueue

@Suite struct `The total rate limit` {
    private static let table: [(limit: Double, rates: [Double?], shares: [Double])] = [
        (100, [nil, nil], [50, 50]),
        (100, [10, 1000], [12.5, 87.5]),
        (100, [1000, 1000, 1000, 1000], [25, 25, 25, 25]),
        (100, [24, 1000], [30, 70]),
        (100, [0, 0], [12.5, 87.5]),
        (100, [5], [100]),
        (100, [], []),
    ]

    @Test(arguments: table)
    func `is divided by what each transfer can use`(limit: Double, rates: [Double?], expected: [Double]) {
        let shares = RateLimitShares.shares(
            of: ByteRate(perSecond: limit), among: rates.map { $0.map(ByteRate.init(perSecond:)) })
        expectEqual(shares.map(\.perSecond).sorted(), expected.sorted())
    }

    @Test func `equals the sum of the shares`() {
        var random = SplitMix64(seed: 11)
        for _ in 0..<500 {
            let rates = (0..<Int.random(in: 1...16, using: &random)).map { _ in
                Bool.random(using: &random) ? ByteRate(perSecond: .random(in: 0...1e6, using: &random)) : nil
            }
            let limit = Double.random(in: 1...1e6, using: &random)
            let shares = RateLimitShares.shares(of: ByteRate(perSecond: limit), among: rates)
            expectLess(abs(shares.reduce(0) { $0 + $1.perSecond } - limit), than: limit * 1e-9)
            expect(shares.allSatisfy { $0.perSecond > 0 })
        }
    }

    @Test func `changes the time left as soon as it is lowered`() {
        var run = QueueRun { $0.slots = 1 }
        run.add(1)
        run.open(1, of: 1_000_000)
        run.stream(1, 1000, steps: 1...30)
        run.command(.setRateLimit(ByteRate(perSecond: 1000)))
        let left = [run.queue.totals(at: run.now).finish, run.queue.row(TransferID(1), at: run.now)?.finish]
        for finish in left {
            let seconds = finish.map { ($0 - run.now).seconds } ?? 0
            expectLess(abs(seconds - 970), than: 1, "97 s by the rate so far, 970 by the limit: \(seconds)")
        }
    }

    @Test func `of the uploads leaves downloads alone, and holds the uploads together`() {
        var run = QueueRun {
            $0.uploadLimit = ByteRate(perSecond: 1000)
            $0.slots = 3
        }
        run.add(.sample(), .sample(direction: .up), .sample(direction: .up))
        run.wait(.milliseconds(100))
        let limits = (1...3).map { run.queue[TransferID($0)]?.appliedLimit?.perSecond }
        expectEqual(limits, [nil, 500, 500])
        run.command(.cancel([TransferID(2)]))
        run.report(2, .stopped(kept: nil))
        run.wait(.milliseconds(100))
        expectEqual(run.queue[TransferID(3)]?.appliedLimit, ByteRate(perSecond: 1000))
    }

    @Test func `of the uploads can be set and removed while they run`() {
        var run = QueueRun { $0.slots = 3 }
        run.add(.sample(), .sample(direction: .up), .sample(direction: .up))
        run.command(.setUploadLimit(ByteRate(perSecond: 1000)))
        expectEqual(run.limits, [2: 500, 3: 500])
        expectEqual(run.queue.totals(at: run.now).uploadLimit, ByteRate(perSecond: 1000))
        // The lower one counts.
        run.command(.setRateLimit(ByteRate(perSecond: 300)))
        expectEqual(run.limits, [1: 100, 2: 100, 3: 100])
        run.command(.setRateLimit(nil))
        expectEqual(run.limits, [1: nil, 2: 500, 3: 500])
        run.command(.setUploadLimit(.zero))
        expectEqual(run.limits, [2: nil, 3: nil])
        expectNil(run.queue.totals(at: run.now).uploadLimit)
    }

    @Test func `gives a single transfer all of it, but at most that transfer's own limit`() {
        var run = QueueRun { $0.rateLimit = ByteRate(perSecond: 1000) }
        run.add(1)
        expectEqual(run.startLimits, [1000])
        var settings = TransferSettings()
        settings.rateLimit = ByteRate(perSecond: 100)
        run.add(1, settings: settings)
        expectEqual(run.startLimits, [100])
    }

    @Test func `is divided anew when a transfer starts`() {
        var run = QueueRun { $0.rateLimit = ByteRate(perSecond: 1000) }
        run.add(1)
        run.add(1)
        expectEqual(run.startLimits, [500])
        expectEqual(run.limits, [1: 500])
    }

    @Test func `can be set and removed while transfers run`() {
        var run = QueueRun()
        run.add(2)
        expectEqual(run.startLimits, [nil, nil])
        run.command(.setRateLimit(ByteRate(perSecond: 1000)))
        expectEqual(run.limits, [1: 500, 2: 500])
        run.wait(.milliseconds(100))
        expectEqual(run.limits, [:])
        run.command(.setRateLimit(.zero))
        expectEqual(run.limits, [1: nil, 2: nil])
        expectNil(run.queue.settings.rateLimit)
    }
}

extension QueueRun {
    fileprivate var startLimits: [Double?] {
        actions.compactMap { action -> Double?? in
            if case .open(let request) = action { .some(request.rateLimit?.perSecond) } else { nil }
        }
    }

    fileprivate var limits: [Int: Double?] {
        var limits: [Int: Double?] = [:]
        for case .limit(let id, let rate) in actions { limits.updateValue(rate?.perSecond, forKey: id.transfer.number) }
        return limits
    }
}

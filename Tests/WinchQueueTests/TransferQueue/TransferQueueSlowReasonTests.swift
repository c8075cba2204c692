import TestSupport
import Testing

@testable import WinchModel
@testable import WinchQueue

/// The reason that a row shows when it does not move or moves slowly.
@Suite struct `The reason for a slow row` {
    @Test func `is the pending size probe`() {
        var run = QueueRun { $0.slots = 1 }
        run.queue.probes.setLinks(of: "a.example", .lasting)
        run.add(6)
        run.pass(.milliseconds(300))
        expectEqual(
            (2...6).map { run.row($0)?.phase }, Array(repeating: .waiting(.sizing), count: 4) + [.waiting(.slot)])
        run.report(2, .probed(nil))
        expectEqual(run.row(2)?.phase, .waiting(.slot))
        run.command(.setMode(.simple))
        expectEqual(run.row(3)?.phase, .waiting(.slot))
    }

    @Test func `is the rate limit, as long as the transfer reaches it`() {
        var run = QueueRun { $0.slots = 2 }
        run.add(2)
        for number in 1...2 { run.open(number, of: 1 << 40) }
        func move(_ rates: [Int64], for seconds: Int) {
            for _ in 0..<10 * seconds {
                run.wait(.milliseconds(100))
                for (number, rate) in zip(1...2, rates) {
                    run.move(number, to: (run.queue[TransferID(number)]?.have.bytes ?? 0) + rate / 10)
                }
            }
        }
        var isLimited: [Bool?] { (1...2).map { run.row($0)?.isAtRateLimit } }
        move([1_000_000, 200_000], for: 5)
        expectEqual(isLimited, [false, false])
        run.command(.setRateLimit(ByteRate(perSecond: 600_000)))
        // The second is slow by itself.
        move([350_000, 200_000], for: 2)
        expectEqual(isLimited, [true, false])
        run.command(.setRateLimit(nil))
        expectEqual(isLimited, [false, false])
    }

    /// The limiter lets a burst through and then pauses until the mean is at the limit.
    @Test func `is the rate limit rather than a stall while a burst is compensated`() {
        var run = QueueRun { $0.rateLimit = ByteRate(perSecond: 100_000) }
        run.add(1)
        run.open(1, of: 1 << 40)
        run.stream(1, 10_000, steps: 1...20)
        run.wait(.milliseconds(100))
        run.move(1, to: 700_000)
        run.pass(.seconds(4))
        expectNil(run.row(1)?.stalledSince)
        expectEqual(run.row(1)?.isAtRateLimit, true)
        expect(run.row(1)?.limit != nil)
        run.pass(.seconds(2))
        expect(run.row(1)?.stalledSince != nil)
        expectEqual(run.row(1)?.isAtRateLimit, false)
    }

    /// Headers and then nothing: the first byte is still due.
    @Test func `is a stall even if not a single byte arrives`() {
        var run = QueueRun()
        run.add(1)
        run.open(1, of: 1000)
        let opened = run.now
        run.pass(.seconds(2))
        expectEqual(run.row(1)?.stalledSince, opened)
    }
}

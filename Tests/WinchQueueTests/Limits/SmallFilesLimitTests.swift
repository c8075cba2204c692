import TestSupport
import Testing

@testable import WinchModel
@testable import WinchProgress
@testable import WinchQueue

@Suite struct `Many small files` {
    private static let equal = [Int64](repeating: 10 << 10, count: 100)
    /// 1 to 20 KiB, 1,050 KiB in all.
    private static let unequal = (1...100).map { number in Int64(number * 37 % 20 + 1) * 1024 }

    @Test(arguments: [(equal, 20.0), (unequal, 21.0)])
    func `take as long as the total limit says`(sizes: [Int64], seconds: Double) {
        var server = QuickServer(of: sizes) {
            $0.slots = 5
            $0.rateLimit = ByteRate(perSecond: 51_200)
        }
        server.serve()
        expect(server.run.queue.isSettled)
        expectLess(abs(server.seconds - seconds), than: 0.03 * seconds)
    }

    @Test func `take as long as the limit of each says, in every slot`() {
        var settings = TransferSettings()
        settings.rateLimit = ByteRate(perSecond: 1024)
        var server = QuickServer(of: Array(Self.equal.prefix(12)), settings)
        server.serve()
        expect(server.run.queue.isSettled)
        expectLess(abs(server.seconds - 30), than: 0.9)
    }

    @Test func `come at once when the limit is removed`() {
        var server = QuickServer(of: Self.equal) { $0.rateLimit = ByteRate(perSecond: 51_200) }
        server.serve(until: 2)
        server.command(.setRateLimit(nil))
        server.serve()
        expect(server.run.queue.isSettled)
        expectLess(server.seconds, than: 2.1)
    }
}

/// Sends files as fast as the limits of their connections allow.
private struct QuickServer {
    private(set) var run: QueueRun
    private let sizes: [Int64]
    private var limiters: [Int: ConnectionRateLimiter] = [:]
    private let start: Moment
    private var nextTick: Moment

    /// Since the first file was asked for.
    var seconds: Double { (run.now - start).seconds }

    init(
        of sizes: [Int64], _ settings: TransferSettings = TransferSettings(),
        _ configure: (inout QueueSettings) -> Void = { _ in }
    ) {
        self.sizes = sizes
        run = QueueRun(configure)
        start = run.now
        nextTick = run.now
        run.add(sizes.count, settings: settings)
        takeActions()
    }

    mutating func command(_ command: Command) {
        run.command(command)
        takeActions()
    }

    mutating func serve(until end: Double = .infinity) {
        while let next = nextEnd, (min(next.due, nextTick) - start).seconds <= end {
            if next.due <= nextTick {
                run.now = next.due
                limiters[next.number] = nil
                let size = ByteCount(bytes: sizes[next.number - 1])
                report(next.number, .opening(at: 0, of: size.bytes))
                report(next.number, .bodyEnded(size: size))
                report(next.number, .finished(.saved(path: "file"), size: size))
            } else {
                run.now = nextTick
                nextTick = nextTick + .milliseconds(100)
                run.apply(.tick)
                takeActions()
            }
        }
    }

    private var nextEnd: (due: Moment, number: Int)? {
        limiters.map { (due: $0.value.release(at: run.now) ?? run.now, number: $0.key) }
            .min { ($0.due, $0.number) < ($1.due, $1.number) }
    }

    private mutating func report(_ number: Int, _ event: TransportEvent) {
        run.report(number, event)
        takeActions()
    }

    private mutating func takeActions() {
        for action in run.actions {
            switch action {
            case .open(let request):
                let number = request.transfer.number
                var limiter = ConnectionRateLimiter(limit: request.rateLimit, at: run.now)
                limiter.take(sizes[number - 1], at: run.now)
                limiters[number] = limiter
            case .limit(let id, let limit): limiters[id.transfer.number]?.limit(to: limit, at: run.now)
            default: break
            }
        }
    }
}

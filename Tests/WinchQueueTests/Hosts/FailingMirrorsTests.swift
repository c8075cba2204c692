import TestSupport
import Testing

@testable import WinchModel
@testable import WinchQueue

@Suite struct `Failures of a mirror` {
    private static let start = Moment(seconds: 100)

    @Test func `let its host rest after three in a row, longer each time`() {
        var faults = FailingMirrors()
        for _ in 0..<2 { faults.failed("a", at: Self.start) }
        expect(!faults.isCoolingDown("a", at: Self.start))
        var rest = FailingMirrors.firstCooldown
        for _ in 0..<4 {
            faults.failed("a", at: Self.start)
            expect(faults.isCoolingDown("a", at: Self.start + (rest - .seconds(1))))
            expect(!faults.isCoolingDown("a", at: Self.start + rest))
            rest = rest * 2
        }
        for _ in 0..<1000 { faults.failed("a", at: Self.start) }
        expect(!faults.isCoolingDown("a", at: Self.start + FailingMirrors.longestCooldown))
        expect(!faults.isCoolingDown("b", at: Self.start))
    }

    @Test func `are cleared when it delivers a file`() {
        var faults = FailingMirrors()
        for _ in 0..<9 { faults.failed("a", at: Self.start) }
        faults.served("a")
        expect(!faults.isCoolingDown("a", at: Self.start))
        expect(faults.isEmpty)
    }

    @Test func `are forgotten when those of many other hosts have come since, but for hosts that rest`() {
        var faults = FailingMirrors()
        for _ in 0..<3 { faults.failed("a", at: Self.start) }
        for number in 0..<10_000 { faults.failed("\(number)", at: Self.start) }
        expectAtMost(faults.count, FailingMirrors.mostRecords)
        expect(faults.isCoolingDown("a", at: Self.start))
    }

    private static func run(failing failure: TransferFailure, times: Int) -> QueueRun {
        var run = QueueRun { $0.slots = 1 }
        for number in 1...times {
            run.add(.sample(hosts: ["a"], settings: .sample(maxTries: 1)))
            run.fail(number, failure)
        }
        return run
    }

    @Test(arguments: [
        TransferFailure.connectTimeout(host: "a", seconds: 15), .unreachable(host: "a", reason: "refused"),
        .httpStatus(404), .httpStatus(500),
    ])
    func `move its host behind the others for the next file`(failure: TransferFailure) {
        var run = Self.run(failing: failure, times: 3)
        run.add(.sample(hosts: ["a", "b"]))
        expectEqual(run.queue[TransferID(4)]?.hostAndPort, "b")
        expectEqual(run.started, [4])
        run.finish(4, with: 10)
        // The only mirror is used anyway.
        run.add(.sample(hosts: ["a"]))
        expectEqual(run.started, [5])
        run.finish(5, with: 10)
        run.add(.sample(hosts: ["a", "b"]))
        expectEqual(run.queue[TransferID(6)]?.hostAndPort, "a")
    }

    @Test func `respect the slots of the new host when they change the mirror`() {
        var run = QueueRun { $0.perHost = 1 }
        for number in 1...3 {
            run.add(.sample(hosts: ["a"], settings: .sample(maxTries: 1)))
            run.fail(number, .httpStatus(500))
        }
        run.add(.sample(hosts: ["a", "b"]), .sample(hosts: ["a", "b"]), .sample(hosts: ["a"]))
        // The second waits for b and does not block the one that has only a.
        expectEqual(run.running, [4, 6])
        expectEqual(run.phase(5), .waiting)
        run.finish(4, with: 10)
        expectEqual(run.running, [5, 6])
    }
}

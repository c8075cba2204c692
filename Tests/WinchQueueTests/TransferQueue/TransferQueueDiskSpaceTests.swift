import TestSupport
import Testing

@testable import WinchModel
@testable import WinchQueue

@Suite struct `A full disk in the queue` {
    private static func spec(_ folder: String = ".") -> TransferSpec {
        var spec = TransferSpec.sample()
        spec.folder = folder
        return spec
    }

    @Test func `pauses the transfers that write to it and resumes them when there is space`() {
        var run = QueueRun()
        run.add(1, settings: .sample(maxTries: 1))
        run.open(1, of: 1000)
        run.move(1, to: 500)
        run.fail(1, .diskFull(folder: "."), kept: 500)
        expectEqual(run.phase(1), .waiting)
        expectEqual(run.row(1)?.phase, .waiting(.space(folder: ".")))
        expect(run.events.map(\.kind).contains(.awaitingSpace(folder: ".")))
        expectEqual(run.queue.totals(at: run.now).awaitingSpace, QueueTotals.AwaitingSpace(count: 1, folder: "."))
        expectEqual(run.bar, "500/1000")
        run.waitForQuestion()
        run.tell(free: 100)
        expectEqual(run.started, [])
        run.waitForQuestion()
        run.tell(free: 500)
        expectEqual(run.started, [1])
        expectEqual(run.queue[TransferID(1)]?.history.tries, 1)
        expectNil(run.queue.totals(at: run.now).awaitingSpace)
    }

    @Test func `is queried when a transfer starts there, and then regularly while one waits`() {
        var run = QueueRun()
        run.add(Self.spec("x"), Self.spec("x"), Self.spec("y"))
        expectEqual(run.questions, ["x", "y"])
        run.tell(free: 1000, in: "x")
        run.tell(free: 1000, in: "y")
        run.pass(.seconds(4))
        expectEqual(run.questions, [])
        run.fail(1, .diskFull(folder: "x"))
        var asked = 0
        for _ in 0..<100 {
            run.wait(.milliseconds(100))
            asked += run.questions.count
            for folder in run.questions { run.tell(free: 0, in: folder) }
        }
        expectEqual(asked, 3)
    }

    @Test func `is avoided by not starting a file that cannot fit`() {
        var run = QueueRun { $0.slots = 1 }
        run.add(1)
        run.tell(free: 1000)
        run.add(kept: 10, of: 5000)
        run.add(kept: 10, of: 600)
        run.finish(1, with: 1)
        expectEqual(run.running, [3])
        expectEqual(run.row(2)?.phase, .waiting(.space(folder: ".")))
    }

    /// Two files of 400 fit into 1000 bytes: what the first has reserved is missing from the free space already.
    @Test func `does not count space twice that is reserved`() {
        var run = QueueRun { $0.slots = 1 }
        run.add(1)
        run.tell(free: 1000)
        run.openReserved(1, of: 600)
        run.move(1, to: 100)
        run.tell(free: 400)
        expectEqual(run.running, [1], "its own space is reserved")
        run.add(kept: 10, of: 410)
        run.finish(1, with: 600)
        expectEqual(run.running, [2])
    }

    @Test func `counts space that is reserved as written`() {
        var run = QueueRun { $0.slots = 2 }
        run.add(1)
        run.tell(free: 1000)
        run.openReserved(1, of: 600)
        run.add(kept: 10, of: 411)
        expectEqual(run.row(2)?.phase, .waiting(.space(folder: ".")))
    }

    @Test func `that is smaller than the file fails the transfer without a wait`() {
        var run = QueueRun { $0.slots = 1 }
        run.add(1)
        run.apply(.space(folder: ".", DiskSpaceReading(device: 1, free: ByteCount(900), size: ByteCount(1000))))
        run.add(kept: 10, of: 5000)
        run.finish(1, with: 1)
        expectEqual(run.running, [2], "the transport sees it")
        let failure = TransferFailure.diskFull(folder: ".", needs: ByteCount(5000), size: ByteCount(1000))
        run.fail(2, failure, kept: 10)
        expectEqual(run.phase(2), .failed(failure))
    }

    /// Otherwise a hanging file server would occupy a thread for each query.
    @Test func `is not queried again before it has answered`() {
        var run = QueueRun()
        run.add(Self.spec("x"))
        expectEqual(run.questions, ["x"])
        run.fail(1, .diskFull(folder: "x"))
        run.pass(.seconds(60))
        run.add(Self.spec("x"))
        expectEqual(run.questions, [])
        run.tell(free: 0, in: "x")
        expectEqual(run.questions, ["x"], "the next is due by now")
    }

    @Test func `is avoided by stopping a file that turns out to be too large`() {
        var run = QueueRun()
        run.add(2)
        run.tell(free: 1000)
        run.open(1, of: 900)
        run.open(2, of: 200)
        expect(run.actions.contains(.close(ConnectionID(transfer: TransferID(2), number: 1), discarding: false)))
        expectEqual(run.row(2)?.phase, .waiting(.space(folder: ".")))
        run.report(2, .stopped(kept: nil))
        run.move(1, to: 900)
        run.finish(1, with: 900)
        run.waitForQuestion()
        run.tell(free: 100)
        expectEqual(run.started, [])
        run.waitForQuestion()
        run.tell(free: 200)
        expectEqual(run.started, [2])
    }

    @Test func `is shared by its folders and does not block other disks`() {
        var run = QueueRun { $0.slots = 6 }
        run.add(Self.spec("x"), Self.spec("y"), Self.spec("z"))
        run.tell(free: 1000, in: "x", device: 1)
        run.tell(free: 1000, in: "y", device: 1)
        run.tell(free: 1000, in: "z", device: 2)
        run.open(1, of: 700)
        run.open(2, of: 700)
        run.open(3, of: 700)
        expectEqual((1...3).map { run.phase($0) }, [.active, .waiting, .active])
        run.fail(1, .diskFull(folder: "x"), kept: 100)
        run.add(Self.spec("y"), Self.spec("z"))
        expectEqual(run.row(4)?.phase, .waiting(.space(folder: "y")))
        expectEqual(run.stage(5), .connecting)
    }

    @Test func `does not hold back a transfer whose folder turned out to be on another disk between two attempts`() {
        var run = QueueRun { $0.slots = 6 }
        run.add(Self.spec("x"))
        run.tell(free: 1000, in: "x", device: 1)
        run.fetch(1, of: 10)
        run.add(Self.spec("y"))
        run.open(2, of: 500)
        run.fail(2, kept: 10)
        run.tell(free: 1000, in: "y", device: 1)
        run.add(Self.spec("z"))
        run.fail(3, .diskFull(folder: "z"))
        run.pass(.seconds(30))
        expectEqual(run.running, [2])
    }

    @Test func `ends a run without a dashboard when nothing moves for the allowed time`() {
        var run = QueueRun { $0.spaceWait = .seconds(20) }
        run.add(2)
        // The other still moves, so space may become free.
        run.open(2, of: 10_000)
        run.fail(1, .diskFull(folder: "."))
        run.pass(.seconds(30))
        expectEqual(run.phase(1), .waiting)
        run.fail(2, .diskFull(folder: "."))
        run.pass(.seconds(19))
        expectEqual(run.phase(1), .waiting)
        run.pass(.seconds(2))
        expectEqual((1...2).map { run.phase($0) }, Array(repeating: .failed(.diskFull(folder: ".")), count: 2))
        expectEqual(RunSummary(run.queue).exitCode, 9)
    }

    @Test func `fails the transfer at once when no wait is allowed`() {
        var run = QueueRun { $0.spaceWait = .zero }
        run.add(1)
        run.fail(1, .diskFull(folder: "."))
        expectEqual(run.phase(1), .failed(.diskFull(folder: ".")))
    }

    @Test func `does not count towards the time limit of a transfer`() {
        var settings = TransferSettings()
        settings.maxTime = .seconds(10)
        var run = QueueRun()
        run.add(1, settings: settings)
        run.fail(1, .diskFull(folder: "."))
        run.wait(.seconds(60))
        run.tell(free: 1000)
        expectEqual(run.started, [1])
        run.pass(.seconds(9))
        expectEqual(run.stage(1), .connecting)
    }

    @Test func `allows the user to pause, cancel and resume waiting transfers`() {
        var run = QueueRun()
        run.add(2)
        for number in 1...2 { run.fail(number, .diskFull(folder: ".")) }
        run.command(.pause([TransferID(1)]))
        run.command(.cancel([TransferID(2)]))
        expectEqual(run.queue.disks.waitingCount, 0)
        run.command(.resume([TransferID(1)]))
        expectEqual(run.row(1)?.phase, .waiting(.space(folder: ".")))
        run.waitForQuestion()
        run.tell(free: 1000)
        expectEqual(run.started, [1])
    }
}

extension QueueRun {
    /// Folders whose free space the last event queried.
    fileprivate var questions: [String] {
        actions.compactMap { if case .askSpace(let folder) = $0 { folder } else { nil } }
    }

    fileprivate mutating func tell(free: Int64, in folder: String = ".", device: UInt64 = 1) {
        apply(.space(folder: folder, DiskSpaceReading(device: device, free: ByteCount(free), size: .zero)))
    }

    /// Until the queue queries the free space.
    fileprivate mutating func waitForQuestion() {
        for _ in 0..<100 {
            wait(.milliseconds(100))
            if !questions.isEmpty { return }
        }
    }
}

import TestSupport
import Testing

@testable import WinchModel
@testable import WinchProgress
@testable import WinchQueue

@Suite struct `Sizes requested ahead of time` {
    private static let host = "a.example"

    /// Slots that are taken, so that the rest waits.
    ///
    /// - Parameter links: of the host; `nil`: none of it was asked about.
    private static func run(
        _ count: Int, mode: ProgressMode = .accurate, links: SizeProbes.Links? = .lasting
    ) -> QueueRun {
        var run = QueueRun {
            $0.slots = 1
            $0.mode = mode
        }
        run.queue.probes.setLinks(of: host, links)
        run.add(count + 1)
        return run
    }

    @Test func `are requested four at a time, in order, shortly after adding`() {
        var run = Self.run(6)
        expectEqual(run.probed, [])
        expectEqual(run.queue.probes.notBefore.map { $0 - run.now }, .milliseconds(250))
        run.pass(.milliseconds(300))
        expectEqual(run.queue.probes.open.count, 4)
        expectEqual(run.sizing, "0/6")
        run.report(3, .probed(ByteCount(100)))
        expectEqual(run.probed, [6])
        run.report(2, .probed(nil))
        expectEqual(run.probed, [7])
        expectEqual(run.sizing, "2/6")
        for number in 4...7 { run.report(number, .probed(ByteCount(100))) }
        expectNil(run.sizing)
        expectEqual(run.bar, "0/\(16_384 + 100 + 500) ~")
    }

    @Test func `are not requested any more from a host that refuses a file after a question about it`() {
        var run = Self.run(6)
        run.pass(.milliseconds(300))
        run.report(2, .probed(ByteCount(100)))
        expectEqual(run.probed, [6])
        run.finish(1, with: 1)
        run.fail(2, .httpStatus(403))
        for number in 3...6 { run.report(number, .probed(nil)) }
        expect(run.queue.probes.open.isEmpty)
        run.add(.sample(), .sample(hosts: ["b.example"]))
        run.wait(.milliseconds(300))
        expectEqual(run.queue.probes.open, [TransferID(9)])
    }

    @Test func `are requested one at a time until a file has come as it was named`() {
        var run = Self.run(9, links: nil)
        run.pass(.milliseconds(300))
        expectEqual(run.asked, [2])
        run.report(2, .probed(ByteCount(100)))
        expectEqual(run.asked, [])
        run.finish(1, with: 1)
        expectEqual(run.running, [2])
        expectEqual(run.asked, [])
        run.open(2, of: 100)
        expectEqual(run.asked, [3, 4, 5, 6])
    }

    /// Until the answer to the request for the file comes.
    @Test(arguments: [TransferFailure.httpStatus(410), .httpStatus(500), .unexpectedPage(expected: "the 100 bytes")])
    func `are not requested any more from a host that refuses the first file that was asked about`(
        failure: TransferFailure
    ) {
        var run = QueueRun {
            $0.slots = 1
            $0.mode = .accurate
        }
        let settings = TransferSettings.sample(maxTries: 2)
        run.add(5, settings: settings)
        run.pass(.milliseconds(300))
        run.report(2, .probed(ByteCount(100)))
        run.command(.pause([3, 4, 5].map { TransferID($0) }))
        run.finish(1, with: 1)
        for _ in 1...2 where run.phase(2) == .active {
            run.fail(2, failure)
            expectEqual(run.asked, [])
            run.pass(.seconds(2))
        }
        expectEqual(run.phase(2), .failed(failure))
        run.command(.resume([3, 4, 5].map { TransferID($0) }))
        run.pass(.seconds(1))
        expectEqual(run.asked, [])
        expectEqual(run.queue.probes.links[Self.host], .singleUse)
    }

    @Test func `are not requested any more from a host whose first file comes in another size`() {
        var run = Self.run(5, links: nil)
        run.pass(.milliseconds(300))
        run.report(2, .probed(ByteCount(100)))
        run.finish(1, with: 1)
        run.open(2, of: 26)
        expectEqual(run.asked, [])
        expectEqual(run.queue.probes.links[Self.host], .singleUse)
    }

    @Test func `are requested one at a time again after a file has come in another size`() {
        var run = Self.run(9)
        run.pass(.milliseconds(300))
        for number in 2...5 { run.report(number, .probed(ByteCount(100))) }
        for number in 6...9 { run.report(number, .probed(ByteCount(100))) }
        run.report(10, .probed(ByteCount(100)))
        run.finish(1, with: 1)
        run.open(2, of: 26)
        run.add(3)
        run.pass(.milliseconds(300))
        expectEqual(run.asked, [11])
        run.report(11, .probed(ByteCount(100)))
        run.finish(2, with: 26)
        for number in 3...10 { run.fetch(number, of: 100) }
        run.open(11, of: 100)
        expectEqual(run.queue.probes.links[Self.host], .lasting)
    }

    @Test func `count as right when the answer comes after the file has begun`() {
        var run = Self.run(6, links: nil)
        run.pass(.milliseconds(300))
        run.finish(1, with: 1)
        run.open(2, of: 100)
        expectEqual(run.asked, [2])
        run.report(2, .probed(ByteCount(100)))
        expectEqual(run.asked, [3, 4, 5, 6])
    }

    @Test func `are requested of the next file when the one that was asked about is paused or names no size`() {
        var run = Self.run(6, links: nil)
        run.pass(.milliseconds(300))
        run.report(2, .probed(ByteCount(100)))
        run.command(.pause([TransferID(2)]))
        expectEqual(run.asked, [3])
        run.report(3, .probed(nil))
        run.finish(1, with: 1)
        run.open(3, of: nil)
        expectEqual(run.asked, [4])
    }

    @Test func `are requested of each host by itself, and of an FTP server at once`() throws {
        var run = Self.run(0, links: nil)
        let file = TransferSpec(urls: [try TransferURL("ftp://f.example/file")])
        run.add(.sample(), .sample(), .sample(hosts: ["b.example"]), file, file)
        run.pass(.milliseconds(300))
        expectEqual(run.asked, [2, 4, 5, 6])
    }

    @Test func `are not requested in simple mode until the mode changes`() {
        var run = Self.run(3, mode: .simple)
        run.pass(.seconds(1))
        expect(run.queue.probes.open.isEmpty)
        run.command(.setMode(.accurate))
        expectEqual(run.probed, [2, 3, 4])
        run.command(.setMode(.simple))
        expectEqual(run.actions, [2, 3, 4].map { .stopProbe(TransferID($0)) })
        run.report(2, .probed(ByteCount(5)))
        expectEqual(run.queue.ignored, 1)
        run.command(.setMode(.accurate))
        expectEqual(run.probed, [2, 3, 4])
    }

    @Test func `are not requested where a Metalink names them, and the server's own replaces that`() {
        var run = Self.run(0)
        var spec = TransferSpec.sample()
        spec.listedSize = ByteCount(300)
        run.add(spec)
        run.pass(.seconds(1))
        expectEqual(run.probed, [])
        expectEqual(run.queue[TransferID(2)]?.size, .probed(ByteCount(300)))
        run.finish(1, with: 1)
        run.open(2, of: 700)
        expectEqual(run.queue[TransferID(2)]?.size, .declared(ByteCount(700)))
    }

    @Test func `are not requested while so many transfers begin that the next are about to`() {
        var run = QueueRun {
            $0.slots = 1
            $0.mode = .accurate
        }
        run.queue.probes.setLinks(of: Self.host, .lasting)
        run.add(200)
        // A hundred a second and more.
        for number in 1...80 {
            run.pass(.milliseconds(9))
            run.fetch(number, of: 100)
            if number > 30 { expect(run.queue.probes.open.isEmpty) }
        }
        // The next file is a large one.
        run.open(81, of: 1 << 30)
        run.pass(.milliseconds(300))
        expectEqual(run.queue.probes.open.count, 4)
    }

    @Test func `are requested in a window of a thousand`() {
        var run = Self.run(1200)
        run.pass(.milliseconds(300))
        var answered = 0
        while let id = run.queue.probes.open.min() {
            run.report(id.number, .probed(ByteCount(10)))
            answered += 1
        }
        expectEqual(answered, 1000)
        run.finish(1, with: 1)
        expectEqual(run.queue.probes.open, [TransferID(1002)])
    }

    @Test func `are requested although transfers are still being added`() {
        var run = Self.run(1)
        for _ in 0..<3 {
            run.now = run.now + .milliseconds(100)
            run.add(1)
        }
        expectEqual(run.probed, [2, 3, 4, 5])
    }

    @Test func `are not requested when known, paused or settled`() {
        var run = QueueRun { $0.slots = 1 }
        run.add(1)
        run.add(kept: 10, of: 100)
        run.add(.sample(isPaused: true), .sample())
        run.command(.cancel([TransferID(4)]))
        run.pass(.seconds(1))
        expect(run.queue.probes.open.isEmpty)
        run.command(.resume([TransferID(3)]))
        expectEqual(run.probed, [3])
    }

    @Test func `never fail a transfer and are ignored below the bytes on disk`() {
        var run = Self.run(1)
        run.add(kept: 500, of: nil)
        run.pass(.milliseconds(300))
        run.report(3, .probed(ByteCount(300)))
        expectEqual(run.queue[TransferID(3)]?.size, .unknown(estimate: ByteCount(16_384)))
        run.report(2, .probed(ByteCount(-1)))
        expectEqual(run.queue[TransferID(2)]?.size, .unknown(estimate: ByteCount(16_384)))
        expectEqual(run.phase(2), .waiting)
    }

    @Test func `need no tick when there is nothing left to request`() {
        var run = Self.run(2)
        expectEqual(run.queue.nextTick(after: run.now), run.now + .milliseconds(100))
        run.command(.pauseAll)
        run.report(1, .stopped(kept: nil))
        expectNil(run.queue.nextTick(after: run.now))
        run.now = run.now + .seconds(1)
        run.command(.resumeAll)
        run.command(.pause([TransferID(1)]))
        run.command(.pauseAll)
        expectNil(run.queue.nextTick(after: run.now))
    }
}

extension QueueRun {
    /// The probes that the last event opened.
    fileprivate var probed: [Int] {
        actions.compactMap { action in
            if case .probe(let request) = action { request.id.number } else { nil }
        }
    }

    /// Those that are open.
    fileprivate var asked: [Int] { queue.probes.open.map(\.number).sorted() }

    fileprivate var sizing: String? {
        queue.totals(at: now).sizing.map { "\($0.answered)/\($0.asked)" }
    }
}

@Suite struct `An estimate for an unknown size` {
    @Test func `follows every size that becomes known as long as the transfer waits`() {
        var run = QueueRun { $0.slots = 1 }
        run.add(4)
        expectEqual(run.bar, "0/65536 ~")
        run.open(1, of: nil)
        run.finish(1, with: 1000)
        // The second began with what was known then; the two that wait follow what is known now.
        expectEqual(run.bar, "1000/4000 ~")
        run.open(2, of: nil)
        run.finish(2, with: 3000)
        expectEqual(run.bar, "4000/6000 ~")
        expect(run.reported == (run.queue.progress.completed, run.queue.progress.total))
    }

    @Test func `does not move the bar when it was slightly too small`() {
        var run = QueueRun()
        run.add(2)
        run.open(1, of: 100_000)
        run.move(1, to: 50_000)
        run.open(2, of: nil)
        run.move(2, to: 16_384)
        let high = run.queue.fraction.value
        // The estimate is doubled now: half, where 57% were shown.
        run.move(2, to: 16_400)
        expectEqual(run.rebases, [])
        expectEqual(run.queue.fraction.value, high)
        expectEqual(run.queue.totals(at: run.now).percent, 57)
        run.move(1, to: 90_000)
        expectMore(run.queue.fraction.value, than: high)
    }

    @Test func `corrects the bar at once when it was far too small, and gives the cause`() {
        var run = QueueRun()
        run.add(2)
        run.open(1, of: 1000)
        run.open(2, of: nil)
        run.move(2, to: 16_384)
        expectMore(run.queue.fraction.value, than: 0.9)
        run.move(2, to: 16_400)
        expectEqual(run.rebases, [.guessOutgrown])
        expectLess(run.queue.fraction.value, than: 0.5)
    }

    @Test func `is not shown while no size is known`() {
        var run = QueueRun()
        run.add(2)
        run.open(1, of: nil)
        for have in [16_000, 20_000, 40_000, 90_000] as [Int64] {
            run.move(1, to: have)
            expectEqual(run.queue.fraction.value, 0)
            expectEqual(run.rebases, [])
        }
        run.finish(1, with: 90_000)
        expectMore(run.queue.fraction.value, than: 0.4)
    }
}

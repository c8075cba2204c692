import TestSupport
import Testing

@testable import WinchModel
@testable import WinchQueue

@Suite struct `The details of a watched transfer` {
    private func details(_ run: inout QueueRun) -> TransferDetails? {
        // The content of the update does not matter here.
        run.queue.feed.noteTotals()
        return run.queue.takeUpdate(at: run.now)?.details.first
    }

    private func reported(_ run: inout QueueRun) throws -> TransferDetails {
        let details = details(&run)
        return try require(details)
    }

    private func watching(_ settings: TransferSettings = .sample(), hosts: [String] = ["a.example"]) -> QueueRun {
        var run = QueueRun()
        run.add(.sample(hosts: hosts, settings: settings))
        run.command(.watch(TransferID(1)))
        return run
    }

    @Test func `are sent with the next update and then only when they have changed`() {
        var run = watching()
        expectEqual(details(&run)?.id, TransferID(1))
        expectNil(details(&run))
        run.open(1, of: 1000)
        run.move(1, to: 400)
        expectEqual(details(&run)?.ranges, [0..<400])
        expectNil(details(&run))
        run.command(.watch(nil))
        run.move(1, to: 500)
        expectNil(details(&run))
        run.command(.watch(TransferID(1)))
        expectEqual(details(&run)?.have, ByteCount(500))
    }

    @Test func `name every part that was synced, not only the first`() {
        var run = watching()
        run.open(1, of: 1000)
        run.move(1, to: 400)
        run.report(1, .durable(ByteRanges([0..<100, 200..<300])))
        expectEqual(details(&run)?.durable, [0..<100, 200..<300])
    }

    @Test func `are sent as soon as they are requested`() {
        var run = QueueRun()
        run.add(1)
        _ = run.queue.takeUpdate(at: run.now)
        _ = run.queue.apply(.command(.watch(TransferID(1))), at: run.now)
        expectEqual(run.queue.takeUpdate(at: run.now)?.details.first?.id, TransferID(1))
    }

    @Test func `list each attempt with its time, bytes and reason`() throws {
        var run = watching(hosts: ["a.example", "b.example"])
        run.open(1, of: 1000)
        run.move(1, to: 300)
        run.now = run.now + .seconds(2)
        run.fail(1, .httpStatus(503), kept: 300)
        // The next mirror is tried at once.
        run.open(1, at: 300, of: 1000, status: 206)
        run.move(1, to: 700)
        run.command(.pause([TransferID(1)]))
        run.report(1, .stopped(kept: .sample(750, of: 1000)))
        let attempts = try reported(&run).attempts
        expectEqual(attempts.map(\.number), [1, 2])
        expectEqual(attempts.map(\.host), ["a.example", "b.example"])
        expectEqual(attempts.map(\.moved), [ByteCount(300), ByteCount(450)])
        expectEqual(attempts.map(\.outcome), [.failed(.httpStatus(503)), .paused])
        expectEqual(attempts[0].ended, attempts[0].began + .seconds(2))
        expectEqual(attempts[1].from, ByteCount(300))
    }

    @Test func `list the latest attempts and count the others`() throws {
        var run = watching(.sample(maxTries: 0))
        for _ in 0..<25 {
            run.fail(1)
            run.wait(.seconds(61))
        }
        let reported = try reported(&run)
        expectEqual(reported.attempts.count, StoredDetails.most)
        expectEqual(reported.forgottenAttempts, 6)
        expectEqual(reported.attempts.last?.number, 26)
        expectEqual(reported.attempts.last?.outcome, .running)
    }

    @Test func `include the connection and the destination of redirects`() throws {
        var run = watching()
        let facts = ConnectionFacts(
            address: "192.0.2.7", port: 443, protocolName: "HTTP/2", tlsVersion: "TLSv1.3", status: 200,
            validator: .strongETag("\"x\""))
        run.report(1, .requested)
        run.report(1, .redirected("http://b.example/there"))
        run.report(1, .connected(facts))
        let reported = try reported(&run)
        expectEqual(reported.facts, facts)
        expectEqual(reported.location, "http://b.example/there")
        expectEqual(reported.validator, .strongETag("\"x\""))
    }

    @Test func `include the answer to an upload, also that of an earlier run`() throws {
        let reply = ServerReply(status: 201, location: "http://a.example/made", text: "thanks")
        var run = QueueRun()
        run.queue.keepLedger(
            from: LedgerKey(7), calendar: CalendarConversion(run.now, is: UnixTime(milliseconds: 1_000_000_000)))
        run.add(.sample(hosts: ["a.example"], settings: .sample()))
        run.command(.watch(TransferID(1)))
        try expectNil(reported(&run).reply)
        run.apply(.recalled(TransferID(1), StoredDetails(reply: reply)))
        try expectEqual(reported(&run).reply, reply)
        run.report(1, .connected(ConnectionFacts(address: "192.0.2.1", port: 1, protocolName: "HTTP/1.1")))
        try expectNil(reported(&run).reply, "another attempt has another answer")
    }

    @Test func `ignore reports of an earlier attempt's connection`() throws {
        var run = watching(.sample(maxTries: 0))
        let late = run.queue[TransferID(1)]?.lastConnection
        run.fail(1)
        run.wait(.seconds(61))
        run.report(
            1, .connected(ConnectionFacts(address: "192.0.2.1", port: 1, protocolName: "HTTP/1.1")), of: late)
        try expectNil(reported(&run).facts)
    }

    @Test func `contain the rate of this transfer alone, one mean per second`() throws {
        var run = watching()
        run.add(1)
        run.open(1, of: 1_000_000)
        run.open(2, of: 1_000_000)
        for step in 1...40 {
            run.now = run.now + .milliseconds(100)
            run.move(1, to: Int64(step) * 100)
            run.move(2, to: Int64(step) * 5000)
        }
        let seconds = try reported(&run).seconds
        expectAtLeast(seconds.count, 3)
        expect(seconds.allSatisfy { abs($0.rate.perSecond - 1000) < 150 })
    }

    @Test func `include the progress of the checksum`() throws {
        var settings = TransferSettings.sample()
        let checksum = try require(Checksum("md5=" + String(repeating: "a", count: 32)))
        settings.checksum = checksum
        var run = watching(settings)
        expectEqual(details(&run)?.checksums, [ChecksumFinding(checksum, origin: .option)])
        run.open(1, of: 10)
        run.report(1, .bodyEnded(size: ByteCount(10)))
        expectEqual(details(&run)?.checksums.map(\.state), [.checking])
        run.fail(1, .checksum(type: "md5", expected: checksum.hex, got: "bb"))
        expectEqual(details(&run)?.checksums.map(\.state), [.mismatched(got: "bb")])
        expect(run.queue.detailsStore[TransferID(1)]?.attempts.last?.outcome != .complete)
    }

    @Test func `list the origin of each checksum, including the server`() throws {
        func checksum(_ digit: String) throws -> Checksum {
            try require(Checksum("md5=" + String(repeating: digit, count: 32)))
        }
        var settings = TransferSettings.sample()
        settings.checksum = try checksum("a")
        var spec = TransferSpec.sample(settings: settings)
        spec.listedChecksum = try checksum("b")
        var run = QueueRun()
        run.add(spec)
        run.command(.watch(TransferID(1)))
        expectEqual(details(&run)?.checksums.map(\.origin), [.option, .list])
        run.report(1, .requested)
        let sent = ExpectedChecksum(try checksum("c"), range: 5..<10, origin: .header("Content-Digest"))
        run.report(1, .demanded(ExpectedChecksum.own(settings, listed: spec.listedChecksum) + [sent]))
        run.open(1, of: 10)
        let findings = try reported(&run).checksums
        expectEqual(findings.map(\.origin), [.option, .list, .header("Content-Digest")])
        expectEqual(findings.map(\.range), [nil, nil, 5..<10])
        expect(findings.allSatisfy { $0.state == .expected })
        run.report(1, .bodyEnded(size: ByteCount(10)))
        let wrong = TransferFailure.checksum(type: "md5", expected: try checksum("b").hex, got: "dd")
        run.fail(1, wrong)
        try expectEqual(reported(&run).checksums.map(\.state), [.unchecked, .mismatched(got: "dd"), .unchecked])
        // A new attempt may get another answer.
        run.command(.retry([TransferID(1)]))
        try expectEqual(reported(&run).checksums.map(\.origin), [.option, .list])
    }

    @Test func `include a checksum that an earlier run found to be wrong`() throws {
        let hex = String(repeating: "a", count: 32)
        var run = watching()
        run.open(1, of: 10)
        run.report(1, .bodyEnded(size: ByteCount(10)))
        run.fail(1, .checksum(type: "md5", expected: hex, got: "bb"))
        let finding = try require(reported(&run).checksums.first)
        expectEqual(finding.origin, .earlierRun)
        expectEqual(finding.checksum.hex, hex)
        expectEqual(finding.state, .mismatched(got: "bb"))
    }

    @Test func `need no memory for waiting rows and little for settled ones`() {
        var run = QueueRun { $0.slots = 1 }
        run.add(3000)
        expect((2...3000).allSatisfy { run.queue.detailsStore[TransferID($0)] == nil })
        for number in 1...3000 { run.finish(number, with: 10) }
        let kept = (1...3000).count { run.queue.detailsStore[TransferID($0)] != nil }
        expectAtMost(kept, 2 * DetailsStore.mostSettled + 1)
        expect(run.queue.detailsStore[TransferID(3000)] != nil)
    }

    @Test func `of a settled row are forgotten later when a front end has shown them meanwhile`() {
        var run = QueueRun { $0.slots = 1 }
        run.add(3200)
        run.command(.watch(TransferID(1)))
        for number in 1...2100 { run.finish(number, with: 10) }
        expect(run.queue.detailsStore[TransferID(1)] != nil)
        run.command(.watch(nil))
        for number in 2101...3200 { run.finish(number, with: 10) }
        expectNil(run.queue.detailsStore[TransferID(1)]?.attempts)
    }

    @Test func `are not sent for an unknown or a removed transfer`() {
        var run = watching()
        run.command(.watch(TransferID(77)))
        expectNil(details(&run))
        run.command(.watch(TransferID(1)))
        run.finish(1, with: 10)
        run.command(.remove([TransferID(1)]))
        expectNil(details(&run))
    }

    @Test func `survive the merging of updates and reach the mirror`() {
        var first = Update(at: Moment(seconds: 1))
        first.details = [
            TransferDetails(id: TransferID(1), urls: ["http://h/x"], folder: "d", path: "p", size: .exact(.zero))
        ]
        first.merge(Update(at: Moment(seconds: 2)))
        expectEqual(first.details.first?.id, TransferID(1))
        var board = QueueCopy()
        board.apply(first)
        board.apply(Update(at: Moment(seconds: 3)))
        expectEqual(board.details, first.details.first)
    }

    @Test(
        arguments: [
            ("/d", "a/b/c.iso", "/d/a/b"), ("/d/", "c.iso", "/d/"), (".", "a/c.iso", "./a"), ("", "c.iso", ""),
        ])
    func `contain the folder of the file`(folder: String, path: String, place: String) {
        let details = TransferDetails(
            id: TransferID(1), urls: [], folder: folder, path: path, size: .unknown(estimate: .zero))
        expectEqual(details.place, place)
    }
}

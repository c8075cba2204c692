import TestSupport
import Testing

@testable import WinchModel
@testable import WinchQueue

@Suite struct `A transfer that would begin again` {
    private func begins(_ spec: TransferSpec, canContinue: Bool = true, _ events: TransportEvent...) -> Bool? {
        var run = QueueRun()
        run.add(spec)
        if spec.direction == .down {
            let part = ResumePoint(partPath: "f.part", targetPath: "f")
            run.report(
                1,
                .opened(
                    Opening(
                        status: 200, offset: .zero, total: ByteCount(1000), part: part, canContinue: canContinue)))
        }
        for event in events { run.report(1, event) }
        return run.queue[TransferID(1)]?.row(at: run.now).wouldBeginAgain
    }

    @Test func `is a download from a server that offers no parts, once it has bytes`() {
        expectEqual(begins(.sample(), canContinue: false), false)
        expectEqual(begins(.sample(), canContinue: false, .moving(to: 10)), true)
        expectEqual(begins(.sample(), canContinue: true, .moving(to: 10)), false)
    }

    @Test(arguments: [
        ("http://h/f", false, true), ("http://h/f", true, false), ("sftp://h/f", false, false),
        ("ftp://h/f", false, false),
    ])
    func `is an upload whose protocol cannot go on`(url: String, isTus: Bool, begins isExpected: Bool) throws {
        var spec = TransferSpec(urls: [try TransferURL(url)])
        spec.direction = .up
        spec.upload = UploadOrder(.file("/f"))
        spec.upload?.httpProtocol = isTus ? .tus : .plain
        let sent: [TransportEvent] = [.requested, .sent(ByteCount(600), of: ByteCount(1000))]
        expectEqual(begins(spec, sent[0], sent[1]), isExpected)
        spec.upload?.content = .standardInput
        expectEqual(begins(spec, sent[0], sent[1]), true, "nothing reads it a second time")
    }
}

@Suite struct `A row under a rate limit` {
    @Test(
        arguments: [(100, 5000, true), (100, nil, true), (nil, 5000, false), (90_000, 5000, false)]
            as [(Double?, Double?, Bool)])
    func `tells its own limit from its part of the total limit`(own: Double?, total: Double?, isOwn: Bool) {
        var run = QueueRun { $0.rateLimit = total.map { ByteRate(perSecond: $0) } }
        var settings = TransferSettings()
        settings.rateLimit = own.map { ByteRate(perSecond: $0) }
        run.add(.sample(settings: settings))
        run.open(1, of: 1_000_000)
        expect(run.row(1)?.limit != nil)
        expectEqual(run.row(1)?.isLimitOwn, isOwn)
    }
}

import FaultServer
import Glibc
import TestSupport
import Testing

@testable import WinchModel
@testable import WinchTransport

@Suite struct `The speed of a connection` {
    private func at(_ seconds: Double) -> Moment { Moment(seconds: 100) + .seconds(seconds) }

    private func speed(
        rate: Int? = nil, _ change: (inout TransferSettings) -> Void = { _ in }
    ) throws -> SpeedWatch {
        var settings = TransferSettings()
        settings.stallTimeout = .seconds(10)
        change(&settings)
        var request = try ConnectionRequest("http://h/f", settings)
        request.rateLimit = rate.map { ByteRate(perSecond: Double($0)) }
        return SpeedWatch(request, at: at(0))
    }

    @Test(arguments: [(nil, .max), (300_000, 30_000), (1000, 100), (100, 64)] as [(Int?, Int64)])
    func `moves a tenth of a second of its limit at once`(rate: Int?, bytes: Int64) throws {
        try expectEqual(speed(rate: rate).largestPiece, bytes)
    }

    @Test func `is checked for a stall after the first request`() throws {
        var speed = try self.speed()
        expect(!speed.isRequested)
        expectNil(speed.failure(at: at(60), isReceiving: false))
        speed.requestSent(at: at(60))
        expect(speed.isRequested)
        speed.take(head: 500)
        expect(speed.take(body: 523, at: at(61)))
        expectNil(speed.failure(at: at(69), isReceiving: true))
        expectEqual(speed.failure(at: at(70), isReceiving: true), .stalled(seconds: 10))
        // One more byte within the allowed time, and it is not stalled.
        expect(speed.take(body: 1, at: at(70)))
        expectNil(speed.failure(at: at(70), isReceiving: true))
    }

    /// The server sends an interim answer each second.
    @Test(arguments: [(102, 30), (103, 1024)])
    func `is stalled when for ten times as long only interim answers come`(status: Int, length: Int) throws {
        var speed = try self.speed()
        speed.requestSent(at: at(0))
        func wait(_ seconds: ClosedRange<Int>) {
            for second in seconds {
                expectNil(speed.failure(at: at(Double(second)), isReceiving: false))
                speed.take(head: length)
                speed.noteHead(status: status, at: at(Double(second)))
            }
        }
        wait(1...100)
        // Bytes that are sent, and a final answer, are signs of life.
        speed.noteSent(1)
        wait(101...200)
        speed.noteHead(status: 302, at: at(200.5))
        wait(201...300)
        expectEqual(speed.failure(at: at(301), isReceiving: false), .stalled(seconds: 100))
    }

    @Test func `does not count as stalled while the rate limit delays it`() throws {
        var speed = try self.speed(rate: 1000)
        speed.requestSent(at: at(0))
        expect(!speed.take(body: 60_000, at: at(0)))
        for second in 1...59 {
            expect(!speed.release(at: at(Double(second))))
            expectEqual(speed.nextRelease(at: at(Double(second))), at(60))
            expectNil(speed.failure(at: at(Double(second)), isReceiving: true))
        }
        expect(speed.release(at: at(60)))
        expectNil(speed.nextRelease(at: at(60)))
        expect(speed.take(body: 60_000, at: at(60)))
    }

    /// A small file has one piece.
    @Test func `owes nothing for a piece that has moved`() throws {
        var speed = try self.speed(rate: 1000)
        expect(!speed.take(body: 500, at: at(0)))
        // The server has sent more meanwhile.
        expect(!speed.take(body: 750, at: at(0.5)))
        expect(speed.take(body: 750, at: at(0.75)))
        expect(!speed.mayMove(500, at: at(0.75)))
        expect(speed.mayMove(500, at: at(1.25)))
        // The source had fewer: the next piece has the rest.
        speed.take(sent: 100)
        expect(speed.mayMove(400, at: at(1.25)))
        speed.take(sent: 400)
        expect(!speed.mayMove(1, at: at(1.25)))
    }

    @Test func `is unlimited once the limit is removed`() throws {
        var speed = try self.speed(rate: 1000)
        expect(!speed.take(body: 60_000, at: at(0)))
        speed.limit(to: nil, at: at(0))
        expect(speed.release(at: at(0)))
        expect(speed.take(body: 1 << 30, at: at(0)))
        // Of an upload whose source has no byte.
        expect(speed.mayMove(1 << 20, at: at(0)))
        speed.limit(to: ByteRate(perSecond: 1000), at: at(0))
        expect(!speed.mayMove(1, at: at(0)))
    }

    @Test func `ends when the time allowed is over`() throws {
        var speed = try self.speed { $0.maxTime = .seconds(5) }
        expectNil(speed.failure(at: at(4.9), isReceiving: false))
        expectEqual(speed.failure(at: at(5), isReceiving: false), .timeLimit(seconds: 5))
    }

    @Test func `excludes the time for which the process was stopped`() throws {
        var speed = try self.speed {
            $0.maxTime = .seconds(50)
            $0.lowestSpeed = ByteRate(perSecond: 100)
        }
        speed.requestSent(at: at(0))
        expect(speed.take(body: 2000, at: at(0)))
        expectNil(speed.failure(at: at(0), isReceiving: true))
        speed.exclude(.seconds(3600))
        expectNil(speed.failure(at: at(3605), isReceiving: true))
    }

    @Test func `lets bytes wait in the socket after a second of few bytes, until more come`() throws {
        var speed = try self.speed()
        speed.requestSent(at: at(0))
        for tick in 1...10 {
            expect(!speed.mayGather)
            expect(speed.take(body: 200 << 10, at: at(Double(tick) / 10)))
            speed.noteTick()
        }
        expect(speed.mayGather)
        expect(speed.take(body: 300 << 10, at: at(1.05)))
        expect(!speed.mayGather)
        speed.noteTick()
        for _ in 1...9 { speed.noteTick() }
        expect(!speed.mayGather)
        speed.noteTick()
        expect(speed.mayGather)
    }

    @Test func `is too low only after half a minute of a body`() throws {
        var speed = try self.speed {
            $0.lowestSpeed = ByteRate(perSecond: 1000)
            $0.stallTimeout = .seconds(3600)
        }
        speed.requestSent(at: at(0))
        expectNil(speed.failure(at: at(100), isReceiving: false))
        expectNil(speed.failure(at: at(100), isReceiving: true))
        expect(speed.take(body: 15_000, at: at(120)))
        expectNil(speed.failure(at: at(129), isReceiving: true))
        expectEqual(speed.failure(at: at(130), isReceiving: true), .tooSlow(perSecond: 500, seconds: 30))
    }
}

/// Sensitive to time: servers send nothing for a fraction of a second.
@Suite struct `A stall` {
    private let start = Moment(seconds: 100)

    @Test func `is less than a kibibyte within the allowed time`() {
        var watch = StallTimeout(at: start, bytes: 0)
        let looks: [(Double, Int64)] = [(29, 1023), (29.5, 1024), (59, 2047), (59.5, 2047)]
        let stalls = looks.map { second, bytes in
            watch.hasStalled(at: start + .seconds(second), bytes: bytes, allowed: .seconds(30), limit: nil)
        }
        expectEqual(stalls, [false, false, false, true])
    }

    @Test func `excludes pauses by the rate limit and a stopped process`() {
        var slow = StallTimeout(at: start, bytes: 0)
        let rate = ByteRate(perSecond: 10)
        let isSlow = slow.hasStalled(at: start + .seconds(30), bytes: 200, allowed: .seconds(30), limit: rate)
        expect(!isSlow)
        var stopped = StallTimeout(at: start, bytes: 0)
        stopped.exclude(.seconds(3600))
        let isStalled = stopped.hasStalled(at: start + .seconds(3601), bytes: 0, allowed: .seconds(30), limit: nil)
        expect(!isStalled)
    }
}

@Suite(.timeLimit(.minutes(5))) struct `A server that is still processing a request` {
    @Test(arguments: [false, true]) func `is waited for as long as it says so`(isUpload: Bool) async throws {
        try await FaultServer.serving { server in
            let interim = "HTTP/1.1 102 Processing\r\n\r\n"
            let url = server.rawURL(
                interim, "wait=0.7", "bytes=" + interim, "wait=0.7", "bytes=" + interim, "wait=0.7",
                "bytes=HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
            let rig = try Rig()
            rig.folder.write("source", [1, 2, 3])
            let order = UploadOrder(.file(rig.folder.path + "/source"))
            // All heads together are shorter than what counts as no stall.
            try rig.start(url, upload: isUpload ? order : nil) { $0.stallTimeout = .seconds(1) }
            await expectNil(rig.settled().failure)
        }
    }
}

@Suite(.timeLimit(.minutes(5))) struct `A small file with a limit` {
    /// 10 KiB in pieces of 2 KiB.
    ///
    /// - Parameter option: of the server; `nil`: the file is sent.
    @Test(arguments: ["lastmodified=0", "chunked", nil])
    func `moves whole, and takes as long as the limit says`(option: String?) async throws {
        try await Rig.serving { server, rig in
            let content = FaultServer.content("f", 10 << 10)
            rig.folder.write("source", content)
            let began = ContinuousClock.now
            try rig.start(
                option.map { server.url("f", "size=10K", $0) } ?? server.uploadURL("f"),
                rate: ByteRate(perSecond: 20_480),
                upload: option == nil ? UploadOrder(.file(rig.folder.path + "/source")) : nil)
            await expectNil(rig.settled().failure)
            expectMore(ContinuousClock.now - began, than: .milliseconds(450))
            if option != nil { try expectEqual(rig.folder.bytes("f"), content) }
        }
    }
}

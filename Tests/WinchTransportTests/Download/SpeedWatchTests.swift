import FaultServer
import Glibc
import TestSupport
import Testing

@testable import WinchModel
@testable import WinchTransport

@Suite struct `The speed of a connection` {
    /// Times are seconds from the start.
    private final class DownloadConnection {
        private var speed: SpeedWatch
        private static let start = Moment(seconds: 100)

        init(_ speed: (Moment) -> SpeedWatch) { self.speed = speed(Self.start) }

        private func at(_ seconds: Double) -> Moment { Self.start + .seconds(seconds) }

        var isRequested: Bool { speed.isRequested }
        func requestSent(_ seconds: Double) { speed.requestSent(at: at(seconds)) }
        func take(head count: Int) { speed.take(head: count) }
        func noteHead(_ status: Int, _ seconds: Double) { speed.noteHead(status: status, at: at(seconds)) }
        func noteSent(_ count: Int64) { speed.noteSent(count) }
        func take(_ count: Int, _ seconds: Double) -> Bool { speed.take(body: count, at: at(seconds)) }
        func limit(to rate: ByteRate?) { speed.limit(to: rate) }
        func release(_ seconds: Double) -> Bool { speed.release(at: at(seconds)) }
        func nextRelease(_ seconds: Double) -> Double? {
            speed.nextRelease(at: at(seconds)).map { ($0 - Self.start).seconds }
        }
        var largestPiece: Int64 { speed.largestPiece }
        func noteTick() { speed.noteTick() }
        var mayGather: Bool { speed.mayGather }
        func exclude(_ gap: Duration) { speed.exclude(gap) }
        func failure(_ seconds: Double, isReceiving: Bool = true) -> TransferFailure? {
            speed.failure(at: at(seconds), isReceiving: isReceiving)
        }
    }

    private func connection(
        rate: Int? = nil, _ change: (inout TransferSettings) -> Void = { _ in }
    ) throws -> DownloadConnection {
        var settings = TransferSettings()
        settings.stallTimeout = .seconds(10)
        change(&settings)
        var request = try ConnectionRequest("http://h/f", settings)
        request.rateLimit = rate.map { ByteRate(perSecond: Double($0)) }
        return DownloadConnection { SpeedWatch(request, at: $0) }
    }

    @Test(arguments: [(nil, .max), (300_000, 30_000), (100, 1024)] as [(Int?, Int64)])
    func `sends a tenth of a second of its limit at once`(rate: Int?, bytes: Int64) throws {
        try expectEqual(connection(rate: rate).largestPiece, bytes)
    }

    @Test func `is checked for a stall after the first request`() throws {
        let connection = try connection()
        expect(!connection.isRequested)
        expectNil(connection.failure(60, isReceiving: false))
        connection.requestSent(60)
        expect(connection.isRequested)
        connection.take(head: 500)
        expect(connection.take(523, 61))
        expectNil(connection.failure(69))
        expectEqual(connection.failure(70), .stalled(seconds: 10))
        // One more byte within the allowed time, and it is not stalled.
        expect(connection.take(1, 70))
        expectNil(connection.failure(70))
    }

    /// The server sends an interim answer each second.
    @Test(arguments: [(102, 30), (103, 1024)])
    func `is stalled when for ten times as long only interim answers come`(status: Int, length: Int) throws {
        let connection = try connection()
        connection.requestSent(0)
        func wait(_ seconds: ClosedRange<Int>) {
            for second in seconds {
                expectNil(connection.failure(Double(second), isReceiving: false))
                connection.take(head: length)
                connection.noteHead(status, Double(second))
            }
        }
        wait(1...100)
        // Bytes that are sent, and a final answer, are signs of life.
        connection.noteSent(1)
        wait(101...200)
        connection.noteHead(302, 200.5)
        wait(201...300)
        expectEqual(connection.failure(301, isReceiving: false), .stalled(seconds: 100))
    }

    @Test func `does not count as stalled while the rate limit delays it`() throws {
        let connection = try connection(rate: 1000)
        connection.requestSent(0)
        expect(connection.take(60_000, 0))
        expect(!connection.take(1, 0))
        for second in 1...59 {
            expect(!connection.release(Double(second)))
            expectEqual(connection.nextRelease(Double(second)), 60)
            expectNil(connection.failure(Double(second)))
        }
        expect(connection.release(60))
        expectNil(connection.nextRelease(60))
        expect(connection.take(1, 60))
    }

    @Test func `is unlimited once the limit is removed`() throws {
        let connection = try connection(rate: 1000)
        expect(connection.take(60_000, 0))
        expect(!connection.take(1, 0))
        connection.limit(to: nil)
        expect(connection.release(0))
        expect(connection.take(1 << 30, 0))
    }

    @Test func `ends when the time allowed is over`() throws {
        let connection = try connection { $0.maxTime = .seconds(5) }
        expectNil(connection.failure(4.9, isReceiving: false))
        expectEqual(connection.failure(5, isReceiving: false), .timeLimit(seconds: 5))
    }

    @Test func `excludes the time for which the process was stopped`() throws {
        let connection = try connection {
            $0.maxTime = .seconds(50)
            $0.lowestSpeed = ByteRate(perSecond: 100)
        }
        connection.requestSent(0)
        expect(connection.take(2000, 0))
        expectNil(connection.failure(0))
        connection.exclude(.seconds(3600))
        expectNil(connection.failure(3605))
    }

    @Test func `lets bytes wait in the socket after a second of few bytes, until more come`() throws {
        let connection = try connection()
        connection.requestSent(0)
        for tick in 1...10 {
            expect(!connection.mayGather)
            expect(connection.take(200 << 10, Double(tick) / 10))
            connection.noteTick()
        }
        expect(connection.mayGather)
        expect(connection.take(300 << 10, 1.05))
        expect(!connection.mayGather)
        connection.noteTick()
        for _ in 1...9 { connection.noteTick() }
        expect(!connection.mayGather)
        connection.noteTick()
        expect(connection.mayGather)
    }

    @Test func `is too low only after half a minute of a body`() throws {
        let connection = try connection {
            $0.lowestSpeed = ByteRate(perSecond: 1000)
            $0.stallTimeout = .seconds(3600)
        }
        connection.requestSent(0)
        expectNil(connection.failure(100, isReceiving: false))
        expectNil(connection.failure(100))
        expect(connection.take(15_000, 120))
        expectNil(connection.failure(129))
        expectEqual(connection.failure(130), .tooSlow(perSecond: 500, seconds: 30))
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

import FaultServer
import Glibc
import TestSupport
import Testing

@testable import WinchModel
@testable import WinchTransport

@Suite(.timeLimit(.minutes(5))) struct `A file of an FTP server` {
    private static let content = SeededContent(name: "f").bytes(in: 0..<600_000)

    /// It says so to REST, or only to RETR.
    @Test(
        arguments: [
            nil, "451 Restart not permitted.", "504 Not for REST.", "550 Restart not permitted.", "551 Not with REST.",
            "554 Invalid REST.",
        ])
    func `is downloaded from the beginning by a server that cannot go on`(refusal: String?) async throws {
        var ends = [FileFTPServer.End.cut(after: 200_000)]
        if let refusal { ends.append(.refused(refusal)) }
        ends.append(.complete)
        let server = try FileFTPServer(Self.content, ends, ignoresRest: refusal != nil)
        let rig = try Rig()
        let attempts = try await rig.fetchAll(server.url)
        expect(attempts.count == 2 && attempts.last?.saved == "f")
        try expectEqual(rig.folder.bytes("f"), Self.content)
    }

    @Test func `is downloaded from the beginning when it is shorter than its part`() async throws {
        let content = Array(Self.content.prefix(100_000))
        let server = try FileFTPServer(content, [.complete])
        let rig = try Rig()
        rig.folder.write("f.part", Array(Self.content.prefix(200_000)))
        let events = try await rig.fetch(server.url, resume: ResumePoint("f", have: 200_000, of: 600_000))
        expectEqual(events.saved, "f")
        try expectEqual(rig.folder.bytes("f"), content)
    }

    /// Also when the whole is refused, and when there is no data connection, which says nothing of REST.
    @Test(arguments: [["451 Not now.", "451 Not now."], ["425 No data connection."]])
    func `keeps its part when the server refuses to go on`(refusals: [String]) async throws {
        var ends = [FileFTPServer.End.cut(after: 200_000)]
        for reply in refusals { ends.append(.refused(reply)) }
        ends.append(.complete)
        let server = try FileFTPServer(Self.content, ends, ignoresRest: true)
        let rig = try Rig()
        let kept = try await require(rig.fetch(server.url).kept)
        let events = try await rig.fetch(server.url, resume: kept)
        expectEqual(events.failure, .remoteFile(.busy, path: "/f"))
        expectEqual(events.kept?.have.bytes, 200_000)
        try expectEqual(rig.folder.bytes(kept.partPath), Array(Self.content.prefix(200_000)))
    }

    /// A NAT has forgotten the control connection, which is idle while the file comes; the server has closed it, or takes the
    /// end of the data connection for an abort.
    @Test(
        arguments: [
            .silent, .closed, .denied("426 Connection closed; transfer aborted."), .denied("451 Local error."),
            .denied("552 Exceeded storage allocation."),
        ] as [FileFTPServer.End])
    func `is complete when all its bytes have come, although the server does not say so`(
        end: FileFTPServer.End
    ) async throws {
        let server = try FileFTPServer(Self.content, [end])
        let rig = try Rig()
        // The bound of the test is reached before this is.
        let events = try await rig.fetch(server.url) { $0.stallTimeout = .seconds(600) }
        expectEqual(events.saved, "f")
        try expectEqual(rig.folder.bytes("f"), Self.content)
    }

    @Test(arguments: [(0, 0), (600_000, 0), (600_000, -1)])
    func `is all that comes when the server names a size of 0 or less`(count: Int, named: Int) async throws {
        let content = Array(Self.content.prefix(count))
        let server = try FileFTPServer(content, [.complete], naming: [named])
        let rig = try Rig()
        try await expectEqual(rig.fetch(server.url).saved, "f")
        try expectEqual(rig.folder.bytes("f"), content)
    }

    @Test func `is not complete without the server's word when it names a size of 0`() async throws {
        let server = try FileFTPServer(Self.content, [.denied("426 Connection closed; transfer aborted.")], naming: [0])
        let rig = try Rig()
        let events = try await rig.fetch(server.url)
        expect(events.failure != nil)
        expect(!rig.folder.names.contains("f"))
    }

    /// libcurl reads no further than the size that the server names.
    @Test(arguments: [1000, 300_000])
    func `is not finished when the server sends more than it named`(size: Int) async throws {
        let server = try FileFTPServer(Self.content, [.complete], naming: [size])
        let rig = try Rig()
        let events = try await rig.fetch(server.url)
        expectEqual(events.failure, .badResponse("the server sends more than the \(size) bytes that it named"))
        expect(!rig.folder.names.contains("f"))
    }

    /// So is one that grows while it comes by HTTP: what the server names at a time is a whole file.
    @Test(arguments: [[1000, 600_000], [300_000, 600_000], [300_000, 400_000]])
    func `is finished with the size that the server names later when it grows`(sizes: [Int]) async throws {
        let server = try FileFTPServer(Self.content, [.complete], naming: sizes)
        let rig = try Rig()
        try await expectEqual(rig.fetch(server.url).saved, "f")
        try expectEqual(rig.folder.bytes("f"), Array(Self.content.prefix(sizes[1])))
    }

    /// The listing of a link names neither its size nor its time.
    @Test(arguments: [(1_704_458_096, 0, true), (1_704_458_095, 0, false), (1_704_458_096, 1, false)])
    func `of a tree stays as it is here if it has the size and time that the server names`(
        time: Int, less: Int, isSame: Bool
    ) async throws {
        let server = try FileFTPServer(Self.content, [.complete])
        let rig = try Rig()
        rig.folder.makeFolder("pub")
        rig.folder.write("pub/f", [UInt8](repeating: 0, count: Self.content.count - less))
        let modified = timespec(tv_sec: time, tv_nsec: 0)
        expectEqual(utimensat(AT_FDCWD, rig.folder.path + "/pub/f", [modified, modified], 0), 0)
        try rig.start(server.url, below: "/pub", namedParts: 1, version: ListedVersion()) { $0.onConflict = .overwrite }
        let events = await rig.settled()
        let size = ByteCount(bytes: Int64(Self.content.count))
        expectEqual(events.last == .finished(.alreadyComplete(path: "f"), size: size), isSame)
        expectEqual(events.saved, isSame ? nil : "f")
        try expectEqual(rig.folder.bytes("pub/f") == Self.content, !isSame)
    }

    /// A slow connection, and a further one that takes the end of the file and then what the first has left.
    private func share(_ url: String, with other: String, _ rig: Rig) async throws {
        try rig.start(url, rate: ByteRate(perSecond: 50_000)) { $0.minSplitSize = ByteCount(150_000) }
        // For a second, so that its rate is known.
        _ = await rig.events { $0.position ?? 0 > 50_000 }
        try rig.start(other, attempt: 1, isFurther: true)
        let joined = await rig.events {
            if case .moved(let bytes, _) = $0 { bytes.isEmpty } else { $0 == .ended || $0.endsAttempt }
        }
        expect(joined.last != .ended)
    }

    @Test func `is refused as a part when the server sends it from its start all the same`() async throws {
        let server = try FileFTPServer(Self.content, [.complete], ignoresRest: true)
        let rig = try Rig()
        try rig.start(server.url, rate: ByteRate(perSecond: 50_000)) { $0.minSplitSize = ByteCount(150_000) }
        _ = await rig.events { $0.position ?? 0 > 50_000 }
        try rig.start(server.url, attempt: 1, isFurther: true)
        let failure = await rig.events { $0.endsAttempt }.failure
        expectEqual(failure, .badResponse("the server sends the file from its start instead of a part of it"))
    }

    /// Behind a load balancer nothing but the bytes tells the files of two servers apart.
    @Test(arguments: [false, true])
    func `is never made of the bytes of two files that one address has`(isOther: Bool) async throws {
        let other = SeededContent(name: isOther ? "g" : "f").bytes(in: 0..<600_000)
        let server = try FileFTPServer(Self.content, [.complete], further: other)
        let rig = try Rig()
        try await share(server.url, with: server.url, rig)
        let ends = await rig.settled()
        await rig.transport.shutDown()
        expectEqual(ends.failure, isOther ? TransferFailure.mixed : nil)
        expectNil(ends.kept)
        expectEqual(rig.folder.names, isOther ? [] : ["f"])
        if !isOther { try expectEqual(rig.folder.bytes("f"), Self.content) }
    }

    /// The size of the first answer is shared out; nothing behind it is written.
    @Test(arguments: [400_000, 600_000])
    func `is complete with its first size when it grows while connections share it`(size: Int) async throws {
        let server = try FileFTPServer(Self.content, [.complete], naming: [400_000, 400_000, 400_000, size])
        let rig = try Rig()
        try await share(server.url, with: server.url, rig)
        if size > 400_000 {
            let ends = await rig.settled()
            expectEqual(ends.saved, "f")
            expect(ends.contains(.warned(.grown(size: ByteCount(bytes: 400_000)))))
            try expectEqual(rig.folder.bytes("f"), Array(Self.content.prefix(400_000)))
        } else {
            await expectEqual(rig.settled().failure, .sentMore(than: 400_000))
        }
    }

    /// An answer of HTTP has no size of the file at the FTP server.
    @Test func `is not finished by a server of HTTP when it is longer at an FTP mirror`() async throws {
        try await FaultServer.serving { server in
            let mirror = try FileFTPServer(Self.content, [.complete], naming: [400_000, 400_000])
            let rig = try Rig()
            try await share(server.url("large", "size=400000", "etag=strong"), with: mirror.url, rig)
            await expectEqual(rig.settled().failure, .sentMore(than: 400_000))
        }
    }

    @Test func `is lost soon when the server does not say that it has the whole`() async throws {
        let content = Array(Self.content.prefix(50_000))
        let server = try FileFTPServer(content, [.silent])
        let rig = try Rig()
        rig.folder.write("f", content)
        var order = UploadOrder(.file(rig.folder.path + "/f"))
        order.usesTemporaryName = false
        let began = ContinuousClock.now
        // The bound of the test is reached before this is.
        try rig.start(server.url, upload: order) { $0.stallTimeout = .seconds(600) }
        let failure = await rig.settled().failure
        guard case .connectionLost? = failure else { return expect(false, "\(String(describing: failure))") }
        expectLess(ContinuousClock.now - began, than: .seconds(45), "libcurl waits for a minute")
    }

    @Test func `is cut short when a further connection for it ends before the first byte`() async throws {
        try await FaultServer.serving { server in
            let mirror = try FileFTPServer(Self.content, [.empty])
            let rig = try Rig()
            try rig.start(server.url("large") + "?size=8M&rate=100K&etag=strong")
            _ = await rig.events { $0.position ?? 0 > 0 }
            try rig.start(mirror.url, attempt: 1, isFurther: true)
            let ends = await rig.settled()
            guard case .cutShort(let have, let expected)? = ends.failure else {
                return expect(false, "\(String(describing: ends.failure))")
            }
            expectMore(have.bytes, than: 1 << 20)
            expectEqual(expected, ByteCount(bytes: 8 << 20))
        }
    }
}

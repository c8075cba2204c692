import FaultServer
import Glibc
import Hashing
import TestSupport
import Testing

@testable import WinchModel
@testable import WinchTransport

@Suite struct `An existing file and a checksum` {
    private static func checksum(_ content: [UInt8]) -> Checksum? {
        let hash = HashFunction.sha256.hash(content)
        return Checksum("sha-256=" + hash.hex)
    }

    @Test(arguments: [NameConflict.rename, .overwrite, .fail])
    func `are accepted without a request when they match`(conflict: NameConflict) async throws {
        try await Rig.serving { server, rig in
            let content = FaultServer.content("a.bin", 300_000)
            rig.folder.write("a.bin", content)
            // Of an attempt before it was here.
            let url = server.url("a.bin", "size=300000")
            rig.folder.write("a.bin.part", [1])
            rig.folder.sign("a.bin.part", url, total: 300_000, etag: "v")
            let events = try await rig.fetch(url) {
                $0.checksum = Self.checksum(content)
                $0.onConflict = conflict
            }
            expectEqual(events, [.finished(.alreadyComplete(path: "a.bin"), size: ByteCount(bytes: 300_000))])
            expect(server.requests.isEmpty)
            expectEqual(rig.folder.names, ["a.bin"])
        }
    }

    /// How a file comes to have the name of the transfer's.
    enum Naming: CaseIterable { case byURL, byServer, byLink }

    /// To skip a file is not to say that it is right.
    @Test(arguments: [true, false], Naming.allCases)
    func `are compared before the file is skipped`(isRight: Bool, naming: Naming) async throws {
        try await Rig.serving { server, rig in
            let content = FaultServer.content("a.bin", 5000)
            let existing = isRight ? content : Array(repeating: 7, count: 5000)
            rig.folder.write(naming == .byURL ? "a.bin" : "theirs", existing)
            if naming == .byLink { rig.folder.link("a.bin", to: "theirs") }
            let head = naming == .byServer ? "attachment; filename=theirs" : "attachment"
            let names = rig.folder.names
            let events = try await rig.fetch(server.url("a.bin", "size=5000", "disposition=" + head)) {
                $0.checksum = Self.checksum(content)
                $0.onConflict = .skip
            }
            let name = naming == .byServer ? "theirs" : "a.bin"
            let differs = TransferFailure.existingFileDiffers(rig.folder.path + "/" + name)
            let end: TransportEvent =
                isRight
                ? .finished(.alreadyComplete(path: name), size: ByteCount(bytes: 5000))
                : .failed(differs, retryAfter: nil, kept: nil)
            expectEqual(events.last, end)
            expectEqual(server.requests.count, naming == .byServer ? 1 : 0)
            expectEqual(rig.folder.names, names)
            try expectEqual(rig.folder.bytes(name), existing)
        }
    }

    @Test func `do not let a link to nothing be skipped`() async throws {
        let rig = try Rig()
        rig.folder.link("a.bin", to: "nothing")
        // No server listens there.
        let events = try await rig.fetch("http://127.0.0.1:1/a.bin") {
            $0.checksum = Self.checksum([])
            $0.onConflict = .skip
        }
        let reason = "exists already and cannot be read, so its checksum is not known (--on-conflict)"
        expectEqual(events.failure, .readWrite(rig.folder.path + "/a.bin", reason: reason))
    }

    /// The server would confirm that it still has the version that an earlier run has saved.
    @Test(arguments: [true, false])
    func `may be those of its pieces`(isRight: Bool) async throws {
        try await Rig.serving { server, rig in
            let url = server.url("a.bin", "size=300000")
            _ = try await require(rig.fetch(url).saved)
            server.forget()
            let content = isRight ? FaultServer.content("a.bin", 300_000) : Array(repeating: 7, count: 300_000)
            let digests = stride(from: 0, to: 300_000, by: 100_000)
                .flatMap { HashFunction.sha256.hash(Array(content[$0..<$0 + 100_000])) }
            let pieces = PieceHashes(length: ByteCount(100_000), algorithm: .sha256, digests: digests)
            try rig.start(url, id: 2, pieces: pieces)
            let events = await rig.events(of: 2) { event in
                if case .opened = event { true } else { event.endsAttempt }
            }
            expect(server.requests.isEmpty == isRight)
            expectEqual(events.openings.isEmpty, isRight)
            await rig.transport.shutDown()
        }
    }

    /// Without hashes.
    @Test func `lead to a request for the whole when the file has not the size of the Metalink`() async throws {
        try await Rig.serving { server, rig in
            let url = server.url("a.bin", "size=300000")
            _ = try await require(rig.fetch(url).saved)
            try rig.start(url, id: 2, listedSize: ByteCount(5000))
            let words = "the file has 300000 bytes, and the Metalink names 5000"
            await expectEqual(rig.settled(2).failure, .badResponse(words))
        }
    }

    @Test func `lead to a second file when they do not match`() async throws {
        try await Rig.serving { server, rig in
            let content = FaultServer.content("a.bin", 5000)
            rig.folder.write("a.bin", Array(repeating: 7, count: 5000))
            let events = try await rig.fetch(server.url("a.bin", "size=5000")) {
                $0.checksum = Self.checksum(content)
            }
            expectEqual(events.saved, "a.1.bin")
            try expectEqual(rig.folder.bytes("a.1.bin"), content)
        }
    }

    @Test func `are abandoned when the transfer is stopped meanwhile`() async throws {
        let rig = try Rig()
        // No server listens there: a request would fail, and would not be stopped.
        rig.folder.write("a.bin", Array(repeating: 7, count: 30_000_000))
        try rig.start("http://127.0.0.1:1/a.bin") { $0.checksum = Self.checksum([]) }
        rig.transport.close(ConnectionID(transfer: TransferID(1)), discarding: false)
        await expectEqual(rig.settled(), [.stopped(kept: nil)])
    }
}

@Suite(.timeLimit(.minutes(5))) struct `An existing file` {
    private func fetch(
        _ conflict: NameConflict, size: Int64, existing: [UInt8]?
    ) async throws -> (Rig, [TransportEvent], Int) {
        try await Rig.serving { server, rig in
            if let existing { rig.folder.write("f", existing) }
            let events = try await rig.fetch(server.url("f", "size=\(size)")) { $0.onConflict = conflict }
            return (rig, events, server.requests.count)
        }
    }

    @Test(arguments: [(100, 3), (100, 100), (3_000_000, 3)] as [(Int64, Int)])
    func `is kept, and the new one gets a number`(size: Int64, count: Int) async throws {
        let existing = [UInt8](repeating: 0, count: count)
        let (rig, events, _) = try await fetch(.rename, size: size, existing: existing)
        expectEqual(events.saved, "f.1")
        try expectEqual(rig.folder.bytes("f"), existing)
        try expectEqual(rig.folder.bytes("f.1"), FaultServer.content("f", size))
        expectEqual(rig.folder.names, ["f", "f.1"])
    }

    @Test(arguments: [0, 100, 3_000_000] as [Int64])
    func `with the same bytes is used as the result`(size: Int64) async throws {
        let (rig, events, _) = try await fetch(.rename, size: size, existing: FaultServer.content("f", size))
        expectEqual(events.last, .finished(.alreadyComplete(path: "f"), size: ByteCount(bytes: size)))
        expectEqual(rig.folder.names, ["f"])
    }

    @Test(arguments: [100, 3_000_000] as [Int64])
    func `is replaced if configured`(size: Int64) async throws {
        let (rig, events, _) = try await fetch(.overwrite, size: size, existing: [1])
        expectEqual(events.saved, "f")
        try expectEqual(rig.folder.bytes("f"), FaultServer.content("f", size))
        expectEqual(rig.folder.names, ["f"])
    }

    @Test(arguments: [100, 3_000_000] as [Int64], ["victim", "nothing"])
    func `that is a link is replaced itself, not what it leads to`(size: Int64, leadsTo: String) async throws {
        try await Rig.serving { server, rig in
            rig.folder.write("victim", [1])
            rig.folder.link("f", to: leadsTo)
            let events = try await rig.fetch(server.url("f", "size=\(size)")) { $0.onConflict = .overwrite }
            expectEqual(events.saved, "f")
            try expectEqual(rig.folder.bytes("f"), FaultServer.content("f", size))
            try expectEqual(rig.folder.bytes("victim"), [1])
            expectEqual(rig.folder.names, ["f", "victim"])
        }
    }

    @Test func `that cannot be replaced is a failure before the download begins`() async throws {
        try await Rig.serving { server, rig in
            rig.folder.makeFolder("f")
            for name in ["f", nil] {
                let events = try await rig.fetch(server.url("f", "size=100"), name: name) { $0.onConflict = .overwrite }
                expectEqual(events.failure, .nameTaken(rig.folder.path + "/f"))
                expectEqual(server.requests.count, name == nil ? 1 : 0, "the server may name it otherwise")
            }
        }
    }

    @Test func `is skipped or a failure, without a request to the server`() async throws {
        let (_, skipped, requests) = try await fetch(.skip, size: 100, existing: [1, 2])
        expectEqual(skipped, [.finished(.skipped(path: "f"), size: ByteCount(bytes: 2))])
        expectEqual(requests, 0)
        let (rig, failed, none) = try await fetch(.fail, size: 100, existing: [1, 2])
        expectEqual(failed.failure, .nameTaken(rig.folder.path + "/f"))
        expectEqual(none, 0)
    }

    @Test(arguments: [NameConflict.skip, .fail])
    func `with the server's name is noticed in the response head`(conflict: NameConflict) async throws {
        try await Rig.serving { server, rig in
            rig.folder.write("theirs", [7])
            let url = server.url("f", "size=1M", "disposition=attachment; filename=theirs")
            let events = try await rig.fetch(url) { $0.onConflict = conflict }
            if conflict == .skip {
                expectEqual(events.last, .finished(.skipped(path: "theirs"), size: ByteCount(bytes: 1)))
            } else {
                expectEqual(events.failure, .nameTaken(rig.folder.path + "/theirs"))
            }
            expectEqual(rig.folder.names, ["theirs"])
        }
    }

    @Test func `that is not skipped, because it is a folder, keeps the part of a download`() async throws {
        try await Rig.serving { server, rig in
            try rig.start(server.url("f", "size=600K", "rate=300K")) { $0.onConflict = .skip }
            _ = await rig.events { $0.position ?? 0 > 0 || $0.endsAttempt }
            rig.folder.makeFolder("f")
            let ends = await rig.settled()
            expectEqual(ends.failure, .folder(rig.folder.path + "/f", reason: "a folder has this name"))
            expectEqual(rig.folder.names, ["f", "f.part"])
        }
    }
}

import FaultServer
import Glibc
import Hashing
import TestSupport
import Testing
import WinchTransport

@testable import WinchModel

extension [TransportEvent] {
    fileprivate var partNotes: [TransferWarning] {
        compactMap { if case .warned(let warning) = $0 { warning } else { nil } }
    }
}

@Suite(.timeLimit(.minutes(5))) struct `A part of unknown origin` {
    private static let size: Int64 = 300 << 10
    private static let have = 100_000

    /// As `cp` leaves a part, which does not copy attributes.
    private static func copied(_ bytes: [UInt8]) throws -> Rig {
        let rig = try Rig()
        rig.folder.write("c.part", bytes)
        return rig
    }

    private static var checksum: Checksum? {
        Checksum("sha-256=" + HashFunction.sha256.hash(FaultServer.content("c", size)).hex)
    }

    @Test func `is left alone without a checksum, and the transfer says so once its body has begun`() async throws {
        try await FaultServer.serving { server in
            let bytes = Array(FaultServer.content("c", Self.size).prefix(Self.have))
            let rig = try Self.copied(bytes)
            let events = try await rig.fetch(server.url("c", "size=\(Self.size)"))
            expectEqual(events.saved, "c")
            expectEqual(events.partNotes, [.unknownPart("c.part", isContinued: false)])
            let opened = events.firstIndex { if case .opened = $0 { true } else { false } }
            let warned = events.firstIndex { if case .warned = $0 { true } else { false } }
            try expectLess(require(opened), than: try require(warned))
            try expectEqual(rig.folder.bytes("c.part"), bytes)
        }
    }

    @Test func `is gone on with when its last bytes are the server's and a checksum verifies the whole`() async throws {
        try await FaultServer.serving { server in
            let rig = try Self.copied(Array(FaultServer.content("c", Self.size).prefix(Self.have)))
            let events = try await rig.fetch(server.url("c", "size=\(Self.size)")) { $0.checksum = Self.checksum }
            expectEqual(events.saved, "c")
            expectEqual(events.partNotes, [.unknownPart("c.part", isContinued: true)])
            expectEqual(server.requests.map(\.range), [nil, "bytes=\(Self.have - 4096)-"])
            try expectEqual(rig.folder.bytes("c"), FaultServer.content("c", Self.size))
            expectEqual(rig.folder.names, ["c"])
        }
    }

    /// Its last bytes are the server's, one before them is not.
    @Test func `is given up for a download from 0 when the checksum of the whole is wrong`() async throws {
        try await FaultServer.serving { server in
            var bytes = Array(FaultServer.content("c", Self.size).prefix(Self.have))
            bytes[0] ^= 1
            let rig = try Self.copied(bytes)
            let url = server.url("c", "size=\(Self.size)")
            let events = try await rig.fetch(url) { $0.checksum = Self.checksum }
            guard case .failed(.checksum, retryAfter: let wait?, kept: let kept?) = events.last else {
                Issue.record("\(String(describing: events.last))")
                return
            }
            expectEqual(wait, .zero)
            server.forget()
            // As on a file system that keeps no mark on the part.
            rig.folder.set("user.winch.rejected", to: nil, of: "c.part")
            let again = try await rig.fetch(url, resume: kept) { $0.checksum = Self.checksum }
            expectEqual(again.saved, "c")
            expectEqual(server.requests.map(\.range), [nil])
            try expectEqual(rig.folder.bytes("c"), FaultServer.content("c", Self.size))
        }
    }

    /// Only the checksum proves the bytes before those that were compared.
    @Test(arguments: [true, false])
    func `that was gone on with is fetched anew by a run without a checksum`(hasChecksum: Bool) async throws {
        try await FaultServer.serving { server in
            var bytes = Array(FaultServer.content("c", Self.size).prefix(Self.have))
            if !hasChecksum { bytes[0] ^= 1 }
            let first = try Self.copied(bytes)
            let cut = try await first.fetch(server.url("c", "size=\(Self.size)", "drop=150000")) {
                $0.checksum = Self.checksum
            }
            expectLess(Int64(Self.have), than: cut.kept?.have.bytes ?? 0)
            await first.transport.shutDown()
            server.forget()
            let url = server.url("c", "size=\(Self.size)")
            first.folder.set("user.winch.url", to: url, of: "c.part")
            let next = try Rig(folder: first.folder)
            let events = try await next.fetch(url) { if hasChecksum { $0.checksum = Self.checksum } }
            expectEqual(events.saved, "c")
            expectEqual(server.requests.map { $0.range == nil }, [!hasChecksum])
            try expectEqual(next.folder.bytes("c"), FaultServer.content("c", Self.size))
            expectEqual(next.folder.names, ["c"])
            expectNil(next.folder.attribute("user.winch.adopted", of: "c"))
        }
    }

    @Test func `is no excuse for a wrong checksum when its bytes were not used`() async throws {
        try await FaultServer.serving { server in
            let rig = try Self.copied([UInt8](repeating: 3, count: Self.have))
            let events = try await rig.fetch(server.url("c", "size=\(Self.size)")) {
                $0.checksum = Checksum("sha-256=" + String(repeating: "0", count: 64))
            }
            guard case .failed(.checksum, retryAfter: nil, kept: _) = events.last else {
                Issue.record("\(String(describing: events.last))")
                return
            }
        }
    }

    @Test(arguments: [have, Int(size) + 1])
    func `is left alone when its bytes are not the server's, in spite of a checksum`(count: Int) async throws {
        try await FaultServer.serving { server in
            let rig = try Self.copied([UInt8](repeating: 3, count: count))
            let events = try await rig.fetch(server.url("c", "size=\(Self.size)")) { $0.checksum = Self.checksum }
            expectEqual(events.saved, "c")
            expectEqual(events.partNotes, [.unknownPart("c.part", isContinued: false)])
            try expectEqual(rig.folder.bytes("c.part"), [UInt8](repeating: 3, count: count))
            try expectEqual(rig.folder.bytes("c"), FaultServer.content("c", Self.size))
        }
    }
}

import FaultServer
import Foundation
import Hashing
import TestSupport
import Testing

@testable import WinchBatch
@testable import WinchHTTP
@testable import WinchModel
@testable import WinchTransport

/// Values of digest fields for what the fault server sends.
private struct Sums {
    let content: [UInt8]

    var hex: String { HashFunction.sha256.hash(content).hex }
    var structured: String { "sha-256=:\(Data(HashFunction.sha256.hash(content)).base64EncodedString()):" }
    var old: String { "MD5=" + Data(HashFunction.md5.hash(content)).base64EncodedString() }

    static let wrong = "sha-256=:\(Data(repeating: 0, count: 32).base64EncodedString()):"
}

extension [TransportEvent] {
    fileprivate var demands: [[ExpectedChecksum]] {
        compactMap { event in
            if case .demanded(let demands, _) = event { demands } else { nil }
        }
    }
}

@Suite(.timeLimit(.minutes(5))) struct `The hash of a body` {
    @Test(arguments: [1000, 3_000_000] as [Int64])
    func `must match the server's digest fields`(size: Int64) async throws {
        try await Rig.serving { server, rig in
            let right = Sums(content: FaultServer.content("f", size))
            let fields = [
                "Repr-Digest: \(right.structured)", "Content-Digest: \(right.structured)", "Digest: \(right.old)",
                "Repr-Digest: \(Sums.wrong)?", "Digest: crc=1",
            ]
            for (id, field) in fields.enumerated() {
                let events = try await rig.fetch(
                    server.url("f", "size=\(size)", "header=\(field)"), id: id + 1, name: "good\(id)")
                expectEqual(events.saved, "good\(id)", "\(field)")
                // Told with its origin, once, before the body begins; what is no hash is not told.
                let name = String(field.prefix { $0 != ":" })
                expect(events.demands.map { $0.map(\.origin) } == (id < 3 ? [[.header(name)]] : []), "\(field)")
            }
            let lies = [
                "Repr-Digest: \(Sums.wrong)", "Content-Digest: \(Sums.wrong)",
                "Digest: SHA=2jmj7l5rSw0yVb/vlWAYkK/YBwk=",
            ]
            for (id, field) in lies.enumerated() {
                let events = try await rig.fetch(
                    server.url("f", "size=\(size)", "header=\(field)"), id: id + 10, name: "bad\(id)")
                expectEqual(events.failure?.exitCode, 32, "\(field)")
                expect(!rig.folder.names.contains("bad\(id)"))
                expect(rig.folder.names.contains("bad\(id).part"))
            }
        }
    }

    @Test func `must match a digest in the trailer too`() async throws {
        try await Rig.serving { server, rig in
            let right = Sums(content: FaultServer.content("f", 2_000_000))
            let good = try await rig.fetch(
                server.url("f", "size=2000000", "chunked", "trailer=Repr-Digest: \(right.structured)"), name: "good")
            expectEqual(good.saved, "good")
            let bad = try await rig.fetch(
                server.url("f", "size=2000000", "chunked", "trailer=Repr-Digest: \(Sums.wrong)"), id: 2, name: "bad")
            expectEqual(bad.failure?.exitCode, 32)
            expectEqual(bad.demands.map { $0.map(\.origin) }, [[.header("Repr-Digest")]])
        }
    }

    @Test func `must match both the user's and the server's`() async throws {
        try await Rig.serving { server, rig in
            let right = Sums(content: FaultServer.content("f", 5000))
            let lie = "header=Repr-Digest: \(Sums.wrong)"
            let one = try await rig.fetch(server.url("f", "size=5000", lie)) {
                $0.checksum = Checksum("sha-256=\(right.hex)")
            }
            expectEqual(one.failure?.exitCode, 32)
            let listed = Checksum("sha-256=" + String(repeating: "0", count: 64))
            let two = try await rig.fetch(server.url("f", "size=5000"), id: 2, name: "g", listed: listed) {
                $0.checksum = Checksum("sha-256=\(right.hex)")
            }
            expectEqual(two.failure?.exitCode, 32)
        }
    }

    /// The rest of a resumed file comes with a hash of that rest, and one of the whole.
    @Test func `of a part covers that part, and the whole is hashed over both attempts`() async throws {
        try await Rig.serving { server, rig in
            let content = FaultServer.content("r", 3_000_000)
            let whole = Sums(content: content).structured
            let rest = Sums(content: Array(content[2_000_000...])).structured
            for (id, field) in ["Content-Digest: \(rest)", "Repr-Digest: \(whole)"].enumerated() {
                server.forget()
                let name = "r\(id)"
                let cut = try await rig.fetch(
                    server.url("r", "size=3000000", "dropfirst=2000000"), id: id + 1, name: name)
                let kept = try require(cut.kept)
                let url = server.url("r", "size=3000000", "header=\(field)")
                // Of the same address, so that the rest begins where the part ends.
                rig.folder.set("user.winch.url", to: url, of: kept.partPath)
                let events = try await rig.fetch(url, id: id + 1, name: name, resume: kept)
                expectEqual(events.openings.first?.offset.bytes, 2_000_000)
                expectEqual(events.saved, name, "\(field)")
                try expectEqual(rig.folder.bytes(name), content)
            }
            server.forget()
            let cut = try await rig.fetch(server.url("r", "size=3000000", "dropfirst=2000000"), id: 3, name: "bad")
            let bad = try await rig.fetch(
                server.url("r", "size=3000000", "header=Content-Digest: \(whole)"), id: 3, name: "bad", resume: cut.kept
            )
            expectEqual(bad.failure?.exitCode, 32)
        }
    }

    @Test func `is not forgotten when only the answer before an interruption names it`() async throws {
        try await Rig.serving { server, rig in
            let cut = try await rig.fetch(
                server.url("t", "size=3000000", "dropfirst=2000000", "header=Repr-Digest: \(Sums.wrong)"))
            let kept = try require(cut.kept)
            let url = server.url("t", "size=3000000")
            // Of the same address, so that the rest begins where the part ends.
            rig.folder.set("user.winch.url", to: url, of: kept.partPath)
            let events = try await rig.fetch(url, resume: kept)
            expectEqual(events.openings.map(\.offset.bytes), [2_000_000])
            expectEqual(events.demands.map { $0.map(\.origin) }, [[.header("Repr-Digest")]])
            expectEqual(events.failure?.exitCode, 32)
        }
    }

    /// What is compared only is part of the body as well.
    @Test func `of a part with an overlap covers all received bytes`() async throws {
        try await Rig.serving { server, rig in
            let content = FaultServer.content("v", 3_000_000)
            let body = Sums(content: Array(content[(2_000_000 - 4096)...])).structured
            let cut = try await rig.fetch(server.url("v", "size=3000000", "dropfirst=2000000", "noetag"))
            let events = try await rig.fetch(
                server.url("v", "size=3000000", "noetag", "header=Content-Digest: \(body)"), resume: cut.kept)
            expectEqual(events.openings.first?.offset.bytes, 2_000_000)
            expectEqual(events.saved, "v")
            try expectEqual(rig.folder.bytes("v"), content)
        }
    }

    @Test func `that is wrong leaves nothing to resume from`() async throws {
        try await Rig.serving { server, rig in
            for (id, size) in [(1, 3000), (2, 3_000_000)] {
                let name = "w\(id)"
                let right = Sums(content: FaultServer.content(name, Int64(size)))
                let url = server.url(name, "size=\(size)")
                let bad = try await rig.fetch(url, id: id) {
                    $0.checksum = Checksum("sha-256=" + String(repeating: "0", count: 64))
                }
                let wrong = String(repeating: "0", count: 64)
                expectEqual(bad.failure, .checksum(type: "sha-256", expected: wrong, got: right.hex))
                let kept = try require(bad.kept)
                expectEqual(kept.partPath, "\(name).part")
                expect(!rig.folder.names.contains(name))
                expect(kept.have == .zero && kept.total == nil && kept.validator == nil)
                try expectEqual(rig.folder.bytes("\(name).part").count, size)
                expectEqual(rig.folder.attributes("\(name).part"), [])
                server.forget()
                let good = try await rig.fetch(url, id: id, resume: kept) {
                    $0.checksum = Checksum("sha-256=\(right.hex)")
                }
                expectEqual(good.saved, name)
                expectEqual(server.requests.map(\.range), [nil])
                try expectEqual(rig.folder.bytes(name), right.content)
            }
            expectEqual(rig.folder.names, ["w1", "w2"])
        }
    }

    /// Many small files are finished together, in files that have no names yet.
    @Test func `that is wrong among many small files leaves a part for each`() async throws {
        try await Rig.serving { server, rig in
            for id in 1...40 {
                try rig.start(server.url("s\(id)", "size=500"), id: id) {
                    if id.isMultiple(of: 2) { $0.checksum = Checksum("sha-256=" + String(repeating: "0", count: 64)) }
                }
            }
            let ends = await rig.settledAll(40)
            for id in 1...40 {
                let name = id.isMultiple(of: 2) ? "s\(id).part" : "s\(id)"
                try expectEqual(rig.folder.bytes(name), FaultServer.content("s\(id)", 500))
                if id.isMultiple(of: 2) {
                    guard case .failed(.checksum, _, .some) = ends[TransferID(id)] else {
                        Issue.record("\(String(describing: ends[TransferID(id)]))")
                        continue
                    }
                }
            }
            expectEqual(rig.folder.names.count, 40)
        }
    }

    @Test func `must match the list entry for the server's file name`() async throws {
        try await FaultServer.serving { server in
            var list = ChecksumList()
            _ = list.read(Array("\(String(repeating: "0", count: 64))  real.iso".utf8))
            let rig = try Rig(listedChecksums: ChecksumLists(list))
            let events = try await rig.fetch(
                server.url("download", "size=500", "disposition=attachment; filename=real.iso"))
            expectEqual(events.failure?.exitCode, 32)
            expectEqual(rig.folder.names, ["real.iso.part"])
        }
    }
}

import TestSupport
import Testing

@testable import WinchModel
@testable import WinchQueue

@Suite struct `A file with mirrors` {
    private typealias Line = `Splitting a file`.Line

    private func mirrored(_ hosts: String..., hasChecksum: Bool = true) -> Line {
        Line(mirrors: hosts.isEmpty ? ["a", "b", "c"] : hosts, hasChecksum: hasChecksum)
    }

    @Test func `comes from all of them under a checksum, from each as many as its host allows`() {
        var line = mirrored()
        line.pass(2.5)
        expectEqual(line.run.queue[TransferID(1)]?.counts.open, 8)
        expectEqual(Set(line.hosts).count, 3)
        expectEqual(line.hosts.first, "b")
    }

    @Test func `comes from one at a time without a checksum`() {
        var line = mirrored(hasChecksum: false)
        line.pass(2.5)
        expectEqual(line.run.queue[TransferID(1)]?.counts.open, 4)
        expectEqual(Set(line.hosts).count, 1)
        expectEqual(
            line.run.queue[TransferID(1)]?.connectionReason?.contains("one mirror at a time: no checksum is demanded"),
            true)
    }

    @Test func `comes from mirrors as well that are named under a checksum while it comes`() throws {
        let checksum = try require(Checksum("md5=" + String(repeating: "1", count: 32)))
        var line = mirrored("a", hasChecksum: false)
        line.pass(0.5)
        line.report(1, .mirrors([try TransferURL("http://late/file")], metalink: nil))
        line.pass(1)
        expect(!line.hosts.contains("late"), "no checksum is demanded yet")
        line.report(1, .demanded([ExpectedChecksum(checksum, origin: .metalink)]))
        line.pass(2.5)
        expect(line.hosts.contains("late"))
    }

    @Test func `takes the hashes of its pieces from a Metalink that its server names`() throws {
        var line = mirrored("a", "b", hasChecksum: false)
        let pieces = PieceHashes(
            length: ByteCount(bytes: Line.size), algorithm: .md5, digests: Array(repeating: 1, count: 16))
        line.report(1, .demanded([], pieces: pieces))
        line.pass(2.5)
        expect(line.hosts.contains("b"))
        expectEqual(line.run.queue[TransferID(1)]?.spec.pieces, pieces)
    }

    @Test(arguments: [
        (TransferFailure.connectionLost("reset"), 2), (.badResponse("a part of a file of another size"), 1),
    ])
    func `uses no more a mirror that failed twice in a row or sends another file`(failure: TransferFailure, times: Int)
    {
        var line = mirrored()
        line.failures["b"] = .failed(failure, retryAfter: nil, kept: nil)
        line.pass(4)
        expectEqual(line.hosts.count { $0 == "b" }, times)
        expectEqual(line.run.queue[TransferID(1)]?.counts.open, 8)
    }

    @Test func `comes from the others when the one in use answers two parts wrongly`() throws {
        var line = mirrored()
        line.pass(2.5)
        var before = 0
        for _ in 1...2 {
            var asking: Connection?
            for _ in 0..<5000 {
                let open = line.run.queue[TransferID(1)]?.connections.open ?? []
                asking = open.first { $0.phase.isBeforeAnswer && $0.host == "a" }
                if asking != nil { break }
                line.pass(0.02)
            }
            before = line.hosts.count
            line.report(try require(asking).id.number, line.wrongAnswer)
        }
        expectEqual(line.run.queue[TransferID(1)]?.splitting?.isRefused, false)
        expectEqual(line.run.queue[TransferID(1)]?.mirror, 1)
        line.pass(60)
        expectLess(before, than: line.hosts.count)
        expect(!line.hosts[before...].contains("a"))
        expectEqual(line.run.phase(1), .verifying(isCancelling: false))
    }

    @Test func `is fetched from one mirror alone after a wrong checksum`() {
        var line = mirrored()
        line.pass(2.5)
        expectEqual(Set(line.hosts).count, 3)
        line.run.report(1, .bodyEnded(size: ByteCount(bytes: Line.size)))
        let failure = TransferFailure.checksum(type: "md5", expected: "0", got: "1")
        line.run.report(1, .failed(failure, retryAfter: nil, kept: nil))
        expectEqual(line.run.phase(1), .active)
        expectEqual(line.run.queue[TransferID(1)]?.mirror, 0)
        let before = line.hosts.count
        line.begin()
        line.pass(2.5)
        expectEqual(Set(line.hosts[before...]).count, 1)
        // From one source a wrong checksum is that source's.
        line.run.report(1, .bodyEnded(size: ByteCount(bytes: Line.size)))
        line.run.report(1, .failed(failure, retryAfter: nil, kept: nil))
        expectEqual(line.run.queue[TransferID(1)]?.mirror, 1)
    }

    @Test func `leaves only the places of a full host to others when its own limit holds it back`() {
        var line = mirrored("a", "b")
        line.run.command(.changeConnections([TransferID(1)], by: .max))
        line.note()
        line.pass(0.5)
        func open(_ line: Line, at host: String) -> Int? {
            line.run.queue[TransferID(1)]?.connections.numbers(at: host).count
        }
        expect(open(line, at: "a") == 4 && open(line, at: "b") == 4)
        line.run.command(.setRateLimitEach([TransferID(1)], ByteRate(perSecond: 4_194_304)))
        line.note()
        line.run.add(.sample(hosts: ["a"]))
        line.note()
        line.pass(3)
        expect(open(line, at: "a") == 1 && open(line, at: "b") == 4)
        expectEqual(line.run.running, [1, 2])
    }

    private func wrongPiece(_ range: Range<Int64>, host: String?) throws -> TransportEvent {
        .wrongPiece(
            range, from: try host.map { try TransferURL("http://\($0)/file") },
            failure: .checksum(type: "sha-1", expected: "0", got: "1"))
    }

    @Test func `gets a wrong piece from another mirror, and uses the one that sent it no more`() throws {
        var line = mirrored()
        line.pass(2.5)
        let have = try require(line.run.queue[TransferID(1)]?.have.bytes)
        let piece: Range<Int64> = 1 << 20..<2 << 20
        line.report(1, try wrongPiece(piece, host: "b"))
        let row = try require(line.run.queue[TransferID(1)])
        expectEqual(row.have.bytes, have - 1 << 20)
        expectEqual(row.warning, .wrongPieces(1, source: "b"))
        expectEqual(row.resume?.onDisk.isSubset(of: ByteRanges([0..<1 << 20, 2 << 20..<1 << 40])), true)
        // One of several mirrors sent this one: the warning keeps the name that is known.
        line.report(1, try wrongPiece(0..<1 << 18, host: nil))
        expectEqual(line.run.queue[TransferID(1)]?.warning, .wrongPieces(2, source: "b"))
        let before = line.hosts.count
        line.pass(4)
        expect(!line.hosts[before...].contains("b"))
        expectEqual(line.run.queue[TransferID(1)]?.connections.open.contains { $0.host == "b" }, false)
        line.pass(10)
        expectEqual(line.run.queue[TransferID(1)]?.have.bytes, Line.size)
    }

    @Test func `fetches a wrong piece once more from its only mirror, and then gives up`() throws {
        var line = mirrored("a")
        line.pass(1)
        line.run.report(1, try wrongPiece(0..<1 << 20, host: "a"))
        expectEqual(line.run.phase(1), .active)
        line.run.report(1, try wrongPiece(1 << 20..<2 << 20, host: "a"))
        let part = line.run.queue[TransferID(1)]?.resume
        for connection in line.run.queue[TransferID(1)]?.connections.all ?? [] {
            expectEqual(line.run.queue[TransferID(1)]?.isSettled, false)
            line.run.report(1, .stopped(kept: part), of: connection.id)
        }
        expectEqual(line.run.phase(1), .failed(.checksum(type: "sha-1", expected: "0", got: "1")))
    }

    @Test func `keeps for an hour to what a host allows`() throws {
        var line = mirrored("a")
        // One refusal is not remembered, nor are several within a minute.
        for seconds in [0, 5, 61, 122] {
            expectNil(line.run.queue.hosts.allowance("a"))
            line.run.queue.hosts.noteFileLimit(1, of: "a", at: line.run.now + .seconds(seconds))
        }
        line.begin()
        line.pass(3)
        expectEqual(line.run.queue[TransferID(1)]?.counts.open, 1)
        line.run.now = line.run.now + .seconds(122) + FileLimit.lifetime
        line.run.apply(.tick)
        expectNil(line.run.queue.hosts.allowance("a"))
    }
}

import TestSupport
import Testing

@testable import WinchModel
@testable import WinchQueue

@Suite struct `A file with mirrors` {
    private static let size: Int64 = 256 << 20

    /// The first connection moves 4 MiB a second, and so does each further one.
    private struct Mirrored {
        var run = QueueRun { $0.perHost = 4 }
        private var positions: [Int: (at: Int64, end: Int64)] = [:]
        /// The hosts that further connections were opened to.
        private(set) var hosts: [String] = []
        /// How further connections to these hosts end.
        var failures: [String: TransportEvent] = [:]

        init(hosts names: [String] = ["a", "b", "c"], hasChecksum: Bool = true) {
            var settings = TransferSettings()
            if hasChecksum { settings.checksum = Checksum("md5=d41d8cd98f00b204e9800998ecf8427e") }
            run.add(TransferSpec.sample(hosts: names, settings: settings))
            begin()
        }

        mutating func begin() {
            var point = ResumePoint.sample(0, of: size)
            point.validator = .strongETag("\"a\"")
            let first = run.queue[TransferID(1)]?.lastConnection.number ?? 1
            run.report(
                1,
                .opened(
                    Opening(status: 200, offset: .zero, total: ByteCount(bytes: size), part: point, obstacle: nil)))
            positions = [first: (0, size)]
            note()
        }

        mutating func note() {
            for action in run.actions {
                switch action {
                case .open(let request):
                    guard let range = request.range else { continue }
                    if positions[request.connection.number] == nil { hosts.append(request.url.hostKey) }
                    positions[request.connection.number] = (range.lowerBound, range.upperBound)
                case .bound(let id, let end): positions[id.number]?.end = end
                default: break
                }
            }
        }

        mutating func report(_ number: Int, _ event: TransportEvent) {
            let epoch = run.queue[TransferID(1)]?.lastConnection.epoch ?? 0
            run.report(1, event, of: ConnectionID(transfer: TransferID(1), epoch: epoch, number: number))
            note()
        }

        mutating func pass(_ seconds: Double) {
            for _ in 0..<Int(seconds / 0.02) {
                run.now = run.now + .milliseconds(20)
                for number in positions.keys.sorted() {
                    guard let (at, end) = positions[number] else { continue }
                    let connection = connection(number)
                    if let failure = connection.flatMap({ failures[$0.host] }), number > 1 {
                        positions[number] = nil
                        report(number, failure)
                        continue
                    }
                    if connection?.phase == .connecting { report(number, .joining(at: at)) }
                    let next = min(end, at + (4 << 20) / 50)
                    positions[number]?.at = next
                    if next > at { report(number, .moved(at..<next, of: at..<end)) }
                    guard next >= end else { continue }
                    positions[number] = nil
                    report(number, .pieceEnded)
                }
                run.apply(.tick)
                note()
            }
        }

        func connection(_ number: Int) -> Connection? {
            run.queue[TransferID(1)]?.connections.all.first { $0.id.number == number }
        }

        private var size: Int64 { `A file with mirrors`.size }
    }

    @Test func `comes from all of them under a checksum, from each as many as its host allows`() {
        var line = Mirrored()
        line.pass(2.5)
        #expect(line.run.queue[TransferID(1)]?.counts.open == 8)
        #expect(Set(line.hosts).count == 3)
        #expect(line.hosts.first == "b")
    }

    @Test func `comes from one at a time without a checksum`() {
        var line = Mirrored(hasChecksum: false)
        line.pass(2.5)
        #expect(line.run.queue[TransferID(1)]?.counts.open == 4)
        #expect(Set(line.hosts).count == 1)
        #expect(
            line.run.queue[TransferID(1)]?.connectionReason?.contains("one mirror at a time: no checksum is demanded")
                == true)
    }

    @Test func `comes from mirrors as well that are named under a checksum while it comes`() throws {
        let checksum = try #require(Checksum("md5=" + String(repeating: "1", count: 32)))
        var line = Mirrored(hosts: ["a"], hasChecksum: false)
        line.pass(0.5)
        line.report(1, .mirrors([try TransferURL("http://late/file")], metalink: nil))
        line.pass(1)
        #expect(!line.hosts.contains("late"), "no checksum is demanded yet")
        line.report(1, .demanded([ExpectedDigest(checksum, origin: .metalink)]))
        line.pass(2.5)
        #expect(line.hosts.contains("late"))
    }

    @Test func `takes the hashes of its pieces from a Metalink that its server names`() throws {
        var line = Mirrored(hosts: ["a", "b"], hasChecksum: false)
        let pieces = PieceHashes(
            length: ByteCount(bytes: Self.size), algorithm: .md5, digests: Array(repeating: 1, count: 16))
        line.report(1, .demanded([], pieces: pieces))
        line.pass(2.5)
        #expect(line.hosts.contains("b"))
        #expect(line.run.queue[TransferID(1)]?.spec.pieces == pieces)
    }

    @Test(arguments: [
        (TransferFailure.connectionLost("reset"), 2), (.badResponse("a part of a file of another size"), 1),
    ])
    func `uses no more a mirror that failed twice in a row or sends another file`(failure: TransferFailure, times: Int)
    {
        var line = Mirrored()
        line.failures["b"] = .failed(failure, retryAfter: nil, kept: nil)
        line.pass(4)
        #expect(line.hosts.count { $0 == "b" } == times)
        #expect(line.run.queue[TransferID(1)]?.counts.open == 8)
    }

    @Test func `is fetched from one mirror alone after a wrong checksum`() {
        var line = Mirrored()
        line.pass(2.5)
        #expect(Set(line.hosts).count == 3)
        line.run.report(1, .bodyEnded(size: ByteCount(bytes: Self.size)))
        let failure = TransferFailure.checksum(type: "md5", expected: "0", got: "1")
        line.run.report(1, .failed(failure, retryAfter: nil, kept: nil))
        #expect(line.run.phase(1) == .active)
        #expect(line.run.queue[TransferID(1)]?.mirror == 0)
        let before = line.hosts.count
        line.begin()
        line.pass(2.5)
        #expect(Set(line.hosts[before...]).count == 1)
        // From one source a wrong checksum is that source's.
        line.run.report(1, .bodyEnded(size: ByteCount(bytes: Self.size)))
        line.run.report(1, .failed(failure, retryAfter: nil, kept: nil))
        #expect(line.run.queue[TransferID(1)]?.mirror == 1)
    }

    @Test func `leaves only the places of a full host to others when its own limit holds it back`() {
        var line = Mirrored(hosts: ["a", "b"])
        line.run.command(.changeConnections([TransferID(1)], by: .max))
        line.note()
        line.pass(0.5)
        func open(_ line: Mirrored, at host: String) -> Int? {
            line.run.queue[TransferID(1)]?.connections.numbers(at: host).count
        }
        #expect(open(line, at: "a") == 4 && open(line, at: "b") == 4)
        line.run.command(.setRateLimitEach([TransferID(1)], ByteRate(perSecond: 4_194_304)))
        line.note()
        line.run.add(.sample(hosts: ["a"]))
        line.note()
        line.pass(3)
        #expect(open(line, at: "a") == 1 && open(line, at: "b") == 4)
        #expect(line.run.running == [1, 2])
    }

    private func wrongPiece(_ range: Range<Int64>, host: String?) throws -> TransportEvent {
        .wrongPiece(
            range, from: try host.map { try TransferURL("http://\($0)/file") },
            failure: .checksum(type: "sha-1", expected: "0", got: "1"))
    }

    @Test func `gets a wrong piece from another mirror, and uses the one that sent it no more`() throws {
        var line = Mirrored()
        line.pass(2.5)
        let have = try #require(line.run.queue[TransferID(1)]?.have.bytes)
        let piece: Range<Int64> = 1 << 20..<2 << 20
        line.run.report(1, try wrongPiece(piece, host: "b"))
        line.note()
        let row = try #require(line.run.queue[TransferID(1)])
        #expect(row.have.bytes == have - 1 << 20)
        #expect(row.warning == .wrongPieces(1, source: "b"))
        #expect(row.resume?.onDisk.isSubset(of: ByteRanges([0..<1 << 20, 2 << 20..<1 << 40])) == true)
        // One of several mirrors sent this one: the warning keeps the name that is known.
        line.run.report(1, try wrongPiece(0..<1 << 18, host: nil))
        #expect(line.run.queue[TransferID(1)]?.warning == .wrongPieces(2, source: "b"))
        let before = line.hosts.count
        line.pass(4)
        #expect(!line.hosts[before...].contains("b"))
        #expect(line.run.queue[TransferID(1)]?.connections.open.contains { $0.host == "b" } == false)
        line.pass(10)
        #expect(line.run.queue[TransferID(1)]?.have.bytes == Self.size)
    }

    @Test func `fetches a wrong piece once more from its only mirror, and then gives up`() throws {
        var line = Mirrored(hosts: ["a"])
        line.pass(1)
        line.run.report(1, try wrongPiece(0..<1 << 20, host: "a"))
        #expect(line.run.phase(1) == .active)
        line.run.report(1, try wrongPiece(1 << 20..<2 << 20, host: "a"))
        let part = line.run.queue[TransferID(1)]?.resume
        for connection in line.run.queue[TransferID(1)]?.connections.all ?? [] {
            #expect(line.run.queue[TransferID(1)]?.isSettled == false)
            line.run.report(1, .stopped(kept: part), of: connection.id)
        }
        #expect(line.run.phase(1) == .failed(.checksum(type: "sha-1", expected: "0", got: "1")))
    }

    @Test func `tells the ledger what a host allows, and keeps to it in the next run`() throws {
        var line = Mirrored(hosts: ["a"])
        line.run.queue.keepLedger(from: LedgerKey(1), calendar: .sample)
        // One refusal is not remembered, nor are several within a minute.
        for seconds in [0, 5, 61, 122] {
            #expect(line.run.queue.hosts.allowance("a") == nil)
            line.run.queue.noteFileLimit(1, of: "a", at: line.run.now + .seconds(seconds))
        }
        let changes = line.run.queue.takeLedgerChanges(at: line.run.now, UnixTime(milliseconds: 5), isLast: true)
        let found = changes.compactMap { if case .allowed(let allowance) = $0 { allowance } else { nil } }
        let allowance = try #require(found.first)
        #expect(found.count == 1)
        #expect(allowance.learnedAt == UnixTime(milliseconds: 5))

        var next = Mirrored(hosts: ["a"])
        next.run.queue.keepLedger(
            from: LedgerKey(1), calendar: CalendarConversion(next.run.now, is: allowance.learnedAt),
            allowances: [allowance])
        next.begin()
        next.pass(3)
        #expect((next.run.queue[TransferID(1)]?.counts.open ?? 0) <= allowance.connections)
        next.run.now = next.run.now + FileLimit.lifetime
        next.run.apply(.tick)
        #expect(next.run.queue.hosts.allowance("a") == nil)
    }
}

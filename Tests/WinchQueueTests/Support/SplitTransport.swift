import TestSupport
import WinchProgress

@testable import WinchModel
@testable import WinchQueue

/// A transport of files over several connections: it does what the queue asks, at random rates and in random order, with faults.
struct SplitTransport {
    private struct Lane {
        var id: ConnectionID
        var url: TransferURL
        var isFirst: Bool
        var isOpen = false
        var position: Int64
        var end: Int64
        /// Where its request ends.
        var asked: Int64
        /// Bytes in 20 ms.
        var rate: Int64
    }

    private struct File {
        var total: Int64
        var onDisk = ByteRanges()
        var lanes: [Lane] = []
        /// Its body is complete, and the finisher has it.
        var finisher: ConnectionID?
    }

    private(set) var random: SplitMix64
    /// By transfer, while it has something open.
    private var files: [TransferID: File] = [:]
    /// Answers that are due at once.
    private var due: [(ConnectionID, TransportEvent)] = []
    /// Servers and disks make no faults any more.
    var isKind = false
    private(set) var broken: String?

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    mutating func take(_ actions: [QueueAction]) {
        for action in actions {
            switch action {
            case .open(let request): open(request)
            case .close(let id, let isDiscarding): close(id, isDiscarding: isDiscarding)
            case .bound(let id, let end): bound(id, at: end)
            case .probe(let request): due.append((ConnectionID(transfer: request.id), .probed(nil)))
            case .stopProbe, .proceed, .withdraw, .limit, .askSpace, .recall, .discard, .trust, .unlock, .logIn,
                .shutDown:
                break
            }
        }
    }

    private mutating func open(_ request: ConnectionRequest) {
        let id = request.transfer
        var lane = Lane(
            id: request.connection, url: request.url, isFirst: request.range == nil, position: 0, end: 0, asked: 0,
            rate: Int64(pick(1...16)) << 14)
        guard let range = request.range else {
            let total = Int64(pick(1...40)) << 18
            var file = files[id] ?? File(total: request.resume?.total?.bytes ?? total)
            file.lanes = []
            file.onDisk = request.resume?.onDisk ?? ByteRanges()
            let first = file.onDisk.ranges.first
            lane.position = first?.lowerBound == 0 ? first?.upperBound ?? 0 : 0
            (lane.end, lane.asked) = (file.total, file.total)
            file.lanes.append(lane)
            files[id] = file
            return
        }
        guard var file = files[id] else {
            due.append((request.connection, .failed(.connectionLost("closed"), retryAfter: nil, kept: request.resume)))
            return
        }
        (lane.position, lane.end, lane.asked) = (range.lowerBound, range.upperBound, range.upperBound)
        if range.isEmpty || range.upperBound > file.total { broken = "asks for \(range) of \(file.total)" }
        if !file.onDisk.intersection(ByteRanges(range)).isEmpty { broken = "asks for \(range), which is there" }
        for other in file.lanes where other.position < other.end && range.overlaps(other.position..<other.end) {
            broken = "asks for \(range), which \(other.id.number) brings"
        }
        if file.lanes.contains(where: { $0.id == lane.id }) { broken = "\(lane.id.number) asks twice" }
        file.lanes.append(lane)
        files[id] = file
    }

    private mutating func close(_ id: ConnectionID, isDiscarding: Bool) {
        guard var file = files[id.transfer] else { return due.append((id, .stopped(kept: nil))) }
        if file.finisher == id { return }
        file.lanes.removeAll { $0.id == id }
        let kept = isDiscarding ? nil : point(file)
        files[id.transfer] = file.lanes.isEmpty ? nil : file
        due.append((id, .stopped(kept: kept)))
    }

    private mutating func bound(_ id: ConnectionID, at end: Int64) {
        guard let index = files[id.transfer]?.lanes.firstIndex(where: { $0.id == id }) else { return }
        let asked = files[id.transfer]?.lanes[index].asked ?? end
        files[id.transfer]?.lanes[index].end = min(end, asked)
    }

    private func point(_ file: File) -> ResumePoint {
        ResumePoint.sample(Array(file.onDisk.ranges), of: file.total)
    }

    /// What happens next; `nil`: nothing is open.
    mutating func next() -> (ConnectionID, TransportEvent)? {
        if !due.isEmpty { return due.removeFirst() }
        let ids = files.keys.sorted()
        guard !ids.isEmpty else { return nil }
        let id = ids[pick(0...ids.count - 1)]
        guard var file = files[id] else { return nil }
        defer { files[id] = file.lanes.isEmpty && file.finisher == nil && !isBetweenPieces(id) ? nil : file }
        if let finisher = file.finisher {
            file.finisher = nil
            let size = ByteCount(bytes: file.total)
            if !isKind, pick(0...9) == 0 {
                return (finisher, .failed(.checksum(type: "md5", expected: "0", got: "1"), retryAfter: nil, kept: nil))
            }
            return (finisher, .finished(.saved(path: "f"), size: size))
        }
        guard !file.lanes.isEmpty else { return nil }
        let index = pick(0...file.lanes.count - 1)
        return file.lanes[index].isOpen ? move(index, &file) : answer(index, &file)
    }

    /// A connection has brought its piece, and the queue may ask for the next: the part stays open.
    private var waiting: Set<TransferID> = []
    private func isBetweenPieces(_ id: TransferID) -> Bool { waiting.contains(id) }

    private mutating func answer(_ index: Int, _ file: inout File) -> (ConnectionID, TransportEvent) {
        let lane = file.lanes[index]
        let fault = isKind ? 99 : pick(0...99)
        if fault < 8 {
            return fail(index, &file, [.httpStatus(429), .httpStatus(503), .connectionLost("x")][pick(0...2)])
        }
        if fault < 12, !lane.isFirst {
            return fail(index, &file, .badResponse("status 200 instead of a part"))
        }
        file.lanes[index].isOpen = true
        guard lane.isFirst else { return (lane.id, .joining(at: lane.position)) }
        let isChanged = fault < 15
        if isChanged {
            file.onDisk = ByteRanges()
            file.total = Int64(pick(1...40)) << 18
            (file.lanes[index].position, file.lanes[index].end) = (0, file.total)
            file.lanes[index].asked = file.total
        }
        let obstacle: SplitObstacle? = !isKind && fault < 20 ? .noRanges : nil
        var opening = Opening(
            status: 206, offset: ByteCount(bytes: file.lanes[index].position), total: ByteCount(bytes: file.total),
            part: point(file), startedOver: isChanged ? .fileChanged : nil, obstacle: obstacle)
        opening.part.validator = .strongETag("\"a\"")
        return (lane.id, .opened(opening))
    }

    private mutating func move(_ index: Int, _ file: inout File) -> (ConnectionID, TransportEvent) {
        let lane = file.lanes[index]
        let fault = isKind ? 99 : pick(0...199)
        if fault < 3 { return fail(index, &file, [.connectionLost("x"), .stalled(seconds: 30)][pick(0...1)]) }
        if fault < 4, let range = file.onDisk.ranges.first {
            let end = min(range.upperBound, range.lowerBound + 1 << 18)
            file.onDisk.remove(contentsOf: range.lowerBound..<end)
            return (
                lane.id,
                .wrongPiece(
                    range.lowerBound..<end, from: pick(0...1) == 0 ? lane.url : nil,
                    failure: .checksum(type: "sha-1", expected: "0", got: "1"))
            )
        }
        guard lane.position < lane.end else {
            file.lanes.remove(at: index)
            if file.onDisk == ByteRanges(0..<file.total) {
                (file.lanes, file.finisher) = ([], lane.id)
                return (lane.id, .bodyEnded(size: ByteCount(bytes: file.total)))
            }
            waiting.insert(lane.id.transfer)
            return (lane.id, .pieceEnded)
        }
        let position = min(lane.end, lane.position + (isKind ? lane.rate : Int64(pick(1...Int(lane.rate)))))
        file.onDisk.insert(contentsOf: lane.position..<position)
        file.lanes[index].position = position
        return (lane.id, .moved(lane.position..<position, of: lane.position..<lane.end))
    }

    private mutating func fail(
        _ index: Int, _ file: inout File, _ failure: TransferFailure
    ) -> (ConnectionID, TransportEvent) {
        let id = file.lanes.remove(at: index).id
        if file.lanes.isEmpty { waiting.remove(id.transfer) }
        return (id, .failed(failure, retryAfter: nil, kept: point(file)))
    }

    /// How the queue's view of the files differs from what is on disk; `nil`: it does not.
    func difference(to queue: TransferQueue) -> String? {
        if let broken { return broken }
        for (id, file) in files where due.isEmpty && file.finisher == nil {
            guard let row = queue[id], row.phase == .active, row.stage == .moving else { continue }
            if row.have != file.onDisk.byteCount { return "\(row.have) of \(id) instead of \(file.onDisk.byteCount)" }
            if row.resume?.onDisk != file.onDisk { return "other ranges of \(id.number)" }
            guard let map = row.splitting?.map else { continue }
            if map.onDisk != file.onDisk { return "another map of \(id.number)" }
            for lane in file.lanes {
                let range = map[lane.id.number]?.range ?? lane.position..<lane.position
                if lane.position < lane.end, range != lane.position..<lane.end {
                    return "\(lane.id.number) brings \(lane.position)..<\(lane.end), not \(range)"
                }
            }
        }
        return nil
    }

    mutating func pick(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(random.next() % UInt64(range.upperBound - range.lowerBound + 1))
    }
}

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
        /// Bytes in 20 ms.
        var rate: Int64
    }

    private struct File {
        var chunks: ChunkMap
        var lanes: [Lane] = []
        var isAskingNoMore = false
        /// Its body is complete, and the finisher has it.
        var finisher: ConnectionID?
        /// Its part is closed.
        var isOver = false

        var onDisk: ByteRanges { chunks.onDisk }

        mutating func remove(_ id: ConnectionID) {
            lanes.removeAll { $0.id == id }
            _ = chunks.release(id.number)
            if isAskingNoMore { _ = chunks.widen() }
        }
    }

    private(set) var random: SplitMix64
    /// By transfer, while it has something open.
    private var files: [TransferID: File] = [:]
    /// Answers that are due at once.
    private var due: [(ConnectionID, TransportEvent)] = []
    var now = Moment(seconds: 1000)
    /// Servers and disks make no faults any more.
    var isKind = false
    private(set) var broken: String?

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    mutating func take(_ actions: [QueueAction]) {
        for action in actions {
            switch action {
            case .open(let request): open(request)
            case .close(let id, let isDiscarding): close(id, isDiscarding: isDiscarding)
            case .retire(let id, let atOnce):
                _ =
                    atOnce
                    ? files[id.transfer]?.chunks.drop(id.number)
                    : files[id.transfer]?.chunks.retire(id.number, at: now)
            case .askNoMore(let id):
                files[id]?.isAskingNoMore = true
                _ = files[id]?.chunks.widen()
            case .probe(let request): due.append((ConnectionID(transfer: request.id), .probed(nil)))
            case .stopProbe, .proceed, .withdraw, .limit, .askSpace, .admit, .recall, .discard, .trust, .unlock, .logIn,
                .shutDown:
                break
            }
        }
    }

    private mutating func open(_ request: ConnectionRequest) {
        let (id, number) = (request.transfer, request.connection.number)
        let lane = Lane(
            id: request.connection, url: request.url, isFirst: !request.isFurther, rate: Int64(pick(1...16)) << 14)
        guard request.isFurther else {
            let total = request.resume?.total?.bytes ?? Int64(pick(1...40)) << 18
            files[id] = File(chunks: chunks(of: total, onDisk: request.resume?.onDisk ?? ByteRanges()), lanes: [lane])
            return
        }
        guard var file = files[id] else {
            due.append((request.connection, .failed(.connectionLost("closed"), retryAfter: nil, kept: request.resume)))
            return
        }
        if file.lanes.contains(where: { $0.id == lane.id }) { broken = "\(number) is opened twice" }
        file.chunks.expected = request.expected
        if file.chunks.assign(number, at: now) == nil {
            due.append((request.connection, .ended))
        } else {
            file.lanes.append(lane)
        }
        files[id] = file
    }

    private func chunks(of total: Int64, onDisk: ByteRanges = ByteRanges()) -> ChunkMap {
        ChunkMap(total: total, onDisk: onDisk, minSplit: 1 << 18)
    }

    private mutating func close(_ id: ConnectionID, isDiscarding: Bool) {
        guard var file = files[id.transfer] else { return due.append((id, .stopped(kept: nil))) }
        if file.finisher == id { return }
        file.remove(id)
        let kept = isDiscarding ? nil : point(file)
        files[id.transfer] = file.lanes.isEmpty ? nil : file
        due.append((id, .stopped(kept: kept)))
    }

    private func point(_ file: File) -> ResumePoint {
        ResumePoint.sample(Array(file.onDisk.ranges), of: file.chunks.total)
    }

    /// What happens next; `nil`: nothing is open.
    mutating func next() -> (ConnectionID, TransportEvent)? {
        if !due.isEmpty { return due.removeFirst() }
        let ids = files.keys.sorted()
        guard !ids.isEmpty else { return nil }
        let id = ids[pick(0...ids.count - 1)]
        guard var file = files[id] else { return nil }
        defer { files[id] = file.isOver ? nil : file }
        if let finisher = file.finisher {
            (file.finisher, file.isOver) = (nil, true)
            let size = ByteCount(bytes: file.chunks.total)
            if !isKind, pick(0...9) == 0 {
                return (finisher, .failed(.checksum(type: "md5", expected: "0", got: "1"), retryAfter: nil, kept: nil))
            }
            return (finisher, .finished(.saved(path: "f"), size: size))
        }
        // The queue may have another connection take up what the last has left.
        guard !file.lanes.isEmpty else { return nil }
        if file.lanes.count > 1, !file.isAskingNoMore, pick(0...9) == 0 { _ = file.chunks.takeBack(at: now) }
        let index = pick(0...file.lanes.count - 1)
        return file.lanes[index].isOpen ? move(index, &file) : answer(index, &file)
    }

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
        let number = lane.id.number
        guard lane.isFirst else { return (lane.id, .joining(file.chunks[number]?.range ?? 0..<0)) }
        let isChanged = fault < 15
        if isChanged { file.chunks = chunks(of: Int64(pick(1...40)) << 18) }
        let offset = file.chunks.assign(number, isOpenEnded: true, at: now)?.range.lowerBound ?? file.chunks.total
        let obstacle: SplitObstacle? = !isKind && fault < 20 ? .noRanges : nil
        var opening = Opening(
            status: 206, offset: ByteCount(bytes: offset), total: ByteCount(bytes: file.chunks.total),
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
            file.chunks.forget(ByteRanges(range.lowerBound..<end))
            return (
                lane.id,
                .wrongPiece(
                    range.lowerBound..<end, from: pick(0...1) == 0 ? lane.url : nil,
                    failure: .checksum(type: "sha-1", expected: "0", got: "1"))
            )
        }
        let number = lane.id.number
        guard let range = file.chunks[number]?.range, !range.isEmpty else { return end(index, &file) }
        let most = isKind ? lane.rate : Int64(pick(1...Int(lane.rate)))
        let position = min(range.upperBound, range.lowerBound + most)
        file.chunks.moved(number, through: position, at: now)
        return (lane.id, .moved(range.lowerBound..<position, of: range))
    }

    /// A connection has brought its range.
    private mutating func end(_ index: Int, _ file: inout File) -> (ConnectionID, TransportEvent) {
        let id = file.lanes[index].id
        if file.chunks.left == .zero {
            (file.lanes, file.finisher) = ([], id)
            return (id, .bodyEnded(size: ByteCount(bytes: file.chunks.total)))
        }
        let mayAsk = !file.isAskingNoMore || file.lanes.count == 1
        if mayAsk, file.chunks.assign(id.number, at: now) != nil {
            (file.lanes[index].isFirst, file.lanes[index].isOpen) = (false, false)
            return (id, .requested)
        }
        file.remove(id)
        return (id, .ended)
    }

    private mutating func fail(
        _ index: Int, _ file: inout File, _ failure: TransferFailure
    ) -> (ConnectionID, TransportEvent) {
        let id = file.lanes[index].id
        file.remove(id)
        file.isOver = file.lanes.isEmpty
        return (id, .failed(failure, retryAfter: nil, kept: point(file)))
    }

    /// How the queue's view of the files differs from what is on disk; `nil`: it does not.
    func difference(to queue: TransferQueue) -> String? {
        if let broken { return broken }
        for (id, file) in files where due.isEmpty && file.finisher == nil {
            guard let row = queue[id], row.phase == .active, row.stage == .moving else { continue }
            if row.have != file.onDisk.byteCount { return "\(row.have) of \(id) instead of \(file.onDisk.byteCount)" }
            if row.resume?.onDisk != file.onDisk { return "other ranges of \(id.number)" }
            let open = row.connections.open.map(\.id.number)
            if open.sorted() != file.lanes.map(\.id.number).sorted() { return "\(open) are open of \(id.number)" }
        }
        return nil
    }

    mutating func pick(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(random.next() % UInt64(range.upperBound - range.lowerBound + 1))
    }
}

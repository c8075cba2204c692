@testable import WinchModel
@testable import WinchQueue

/// A queue seen from outside, without its own sums.
struct Snapshot {
    /// The compared properties of a transfer.
    struct Row {
        var id: TransferID
        var have: ByteCount
        var size: SizeKnowledge
        var host: String
        /// Of its open connections.
        var hosts: [String]
        var connections: Connections
        var lastConnection: ConnectionID
        var rebasedAt: Moment?
        var fraction: Double
        var holdsSlot: Bool
        var isReady: Bool
        var isFinished: Bool
        var isSettled: Bool
        var isClosing: Bool
        var isListing: Bool
        /// It waits in the line while its connection closes.
        var isAhead = false
        /// A slot is kept for it while its connection closes.
        var keepsSlot = false
    }

    /// What one of the queue's two bars should show.
    struct Bar {
        var completed: Int64 = 0
        var total: Int64 = 0
        var shown: Double
        var count = 0
        var settled = 0
        var isEstimated = false
        /// Folders that are to be listed.
        var open = 0

        func isAt(_ other: Bar) -> Bool { completed == other.completed && total == other.total }
    }

    var rows: [Row] = []
    /// By direction.
    var bars: [Bar]
    /// What the bar of both directions together shows.
    var whole: Double
    /// Bytes of downloads that succeeded, failed, were cancelled, and are not settled.
    private var parts: [Int128] = [0, 0, 0, 0, 0, 0]
    var waiting = 0
    var active = 0
    /// Of `active`.
    var listing = 0
    var verifying = 0
    /// Slots, and places by host, that are kept for transfers whose connections close.
    var kept = (files: 0, listings: 0)
    var keptPlaces: [String: Int] = [:]
    /// Folders that are listed or could be next, and those of them that have a connection or a place kept for one, by host.
    var openListings: [String: (count: Int, active: Int)] = [:]
    var paused = 0
    var backoff = 0
    var unprobed = 0
    var ahead = 0
    var spaceless = 0
    var known: [Int64] = []

    var shares: QueueTotals.Shares {
        var shares = QueueTotals.Shares()
        shares.succeeded = Int64(clamping: parts[0])
        // At the end files count as a whole, before that by their bytes.
        let isOver = bars[0].settled == bars[0].count && bars[0].open == 0
        shares.failed = Int64(clamping: isOver ? parts[1] : parts[4])
        shares.cancelled = Int64(clamping: isOver ? parts[2] : parts[5])
        shares.unsettled = Int64(clamping: parts[3])
        return shares
    }

    /// The lower median of the known sizes of downloads.
    var median: Int64 {
        let known = known.sorted()
        return known.isEmpty ? 16_384 : known[(known.count - 1) / 2]
    }

    var allSettled: Bool { rows.allSatisfy(\.isSettled) }

    init(_ queue: TransferQueue) {
        bars = Direction.allCases.map { Bar(shown: queue.fraction(of: $0).value) }
        whole = queue.sums.fraction(in: queue.settings.mode).value
        var sums: [(completed: Int128, total: Int128)] = [(0, 0), (0, 0)]
        var unstarted: [Int128] = [0, 0]
        for id in queue.order {
            guard let transfer = queue[id] else { continue }
            let bar = transfer.spec.direction.index
            count(transfer, in: bar)
            if bar == 0 { share(transfer) }
            // It adds nothing to the bytes.
            if transfer.isListing { continue }
            let have = Int128(transfer.have.bytes)
            switch (transfer.phase, transfer.size) {
            case (.finished, _), (.failed, _), (.cancelled, _):
                sums[bar].completed += have
                sums[bar].total += have
            case (_, .unknown) where have == 0 && transfer.attempts == 0: unstarted[bar] += 1
            case (_, .unknown(let estimate)):
                sums[bar].completed += have
                sums[bar].total += max(have, Int128(estimate.bytes))
            case (_, .probed(let size)), (_, .declared(let size)), (_, .exact(let size)):
                sums[bar].completed += min(have, Int128(size.bytes))
                sums[bar].total += Int128(size.bytes)
            }
        }
        for bar in bars.indices {
            sums[bar].total += unstarted[bar] * Int128(bar == 0 ? median : 16_384)
            bars[bar].completed = Int64(clamping: sums[bar].completed)
            bars[bar].total = Int64(clamping: sums[bar].total)
        }
    }

    /// What a bar of shares shows of it.
    private mutating func share(_ transfer: TransferState) {
        if transfer.isListing {
            if case .failed = transfer.phase { parts[1] += 1 }
            if transfer.phase == .cancelled { parts[2] += 1 }
            return
        }
        let size: ByteCount =
            switch transfer.size {
            case .unknown(let size), .probed(let size), .declared(let size), .exact(let size): size
            }
        switch transfer.phase {
        case .finished: parts[0] += Int128(transfer.have.bytes)
        case .failed:
            parts[1] += Int128(max(1, size.bytes, transfer.have.bytes))
            parts[4] += Int128(transfer.have.bytes)
        case .cancelled:
            parts[2] += Int128(max(1, size.bytes, transfer.have.bytes))
            parts[5] += Int128(transfer.have.bytes)
        case .waiting, .active, .verifying, .paused, .backoff:
            parts[3] += Int128(min(transfer.size.known ?? transfer.have, transfer.have).bytes)
        }
    }

    private mutating func count(_ transfer: TransferState, in bar: Int) {
        var row = Row(
            id: transfer.id, have: transfer.have, size: transfer.size, host: transfer.hostAndPort,
            hosts: transfer.connections.open.map(\.host), connections: transfer.connections,
            lastConnection: transfer.lastConnection,
            rebasedAt: transfer.rebase?.at, fraction: 0, holdsSlot: false, isReady: false,
            isFinished: false, isSettled: transfer.isSettled,
            isClosing: transfer.closing != nil, isListing: transfer.isListing)
        defer { rows.append(row) }
        if let size = row.size.known {
            row.fraction = size.bytes > 0 ? Double(row.have.bytes) / Double(size.bytes) : 0
        }
        if transfer.isListing { return count(transfer, of: &row, in: bar) }
        bars[bar].count += 1
        switch transfer.phase {
        case .waiting:
            if transfer.isFailing { verifying += 1 } else { waiting += 1 }
            wait(transfer, as: &row)
            if transfer.awaitsSpace { spaceless += 1 }
            if transfer.sizing == .asked || transfer.sizing == .answered {
                ahead += 1
            } else if bar == 0, transfer.sizing == .none, transfer.size.known == nil, !row.isClosing {
                unprobed += 1
            }
        case .active:
            active += 1
            row.holdsSlot = true
        case .verifying: verifying += 1
        case .paused: paused += 1
        case .backoff: backoff += 1
        case .finished:
            bars[bar].settled += 1
            row.isFinished = true
        case .failed, .cancelled: bars[bar].settled += 1
        }
        if let size = row.size.known {
            if bar == 0 { known.append(size.bytes) }
        } else if !transfer.isSettled {
            bars[bar].isEstimated = true
        }
    }

    /// Whether it could start, or is in the line all the same.
    private mutating func wait(_ transfer: TransferState, as row: inout Row) {
        row.isReady = !row.isClosing && !transfer.awaitsSpace
        guard row.isClosing, !transfer.awaitsSpace, !transfer.isFailing else { return }
        switch transfer.connections.turn {
        case .ahead: row.isAhead = true
        case .kept:
            row.keepsSlot = true
            if row.isListing { kept.listings += 1 } else { kept.files += 1 }
            keptPlaces[row.host, default: 0] += 1
        case .lapsed: break
        }
    }

    /// A folder that is to be listed.
    private mutating func count(_ transfer: TransferState, of row: inout Row, in bar: Int) {
        switch transfer.phase {
        case .waiting:
            wait(transfer, as: &row)
            if row.isReady || row.isAhead || row.keepsSlot || transfer.isFailing {
                openListings[row.host, default: (0, 0)].count += 1
            }
            if row.keepsSlot { openListings[row.host, default: (0, 0)].active += 1 }
            if transfer.awaitsSpace { spaceless += 1 }
        case .active:
            active += 1
            listing += 1
            row.holdsSlot = true
            openListings[row.host, default: (0, 0)].count += 1
            openListings[row.host, default: (0, 0)].active += 1
        case .verifying: openListings[row.host, default: (0, 0)].count += 1
        case .finished: row.isFinished = true
        case .failed, .cancelled:
            bars[bar].count += 1
            bars[bar].settled += 1
        case .paused, .backoff: break
        }
        guard !transfer.isSettled else { return }
        bars[bar].open += 1
        bars[bar].isEstimated = true
    }
}

extension Addition {
    /// What it may add to the completed bytes.
    var bytesThere: Int64 {
        switch past?.standing {
        case .finished: past?.size.known?.bytes ?? 0
        case .failed(.checksum): max(resume?.have.bytes ?? 0, past?.size.known?.bytes ?? 0)
        case .unfinished, .paused, .failed, .cancelled, nil: resume?.have.bytes ?? 0
        }
    }
}

extension Direction {
    /// In lists that have one entry for each direction.
    var index: Int { self == .down ? 0 : 1 }
}

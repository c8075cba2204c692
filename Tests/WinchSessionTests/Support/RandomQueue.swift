import WinchModel

/// Updates as a queue sends them, with rows of all kinds.
struct RandomQueue {
    private(set) var copy = QueueCopy()
    private var random: SplitMix64
    private var lastID = 0
    private var number = 0
    private var now = Moment(seconds: 100)

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
    }

    mutating func snapshot() -> Update {
        var rows: [TransferSnapshot] = []
        copy.visit { row, _ in rows.append(row) }
        return Update(
            QueueSnapshot(
                number: number, at: now, origin: UnixTime(milliseconds: 0), rows: rows, totals: copy.totals,
                settings: QueueSettings(), seconds: copy.history.seconds))
    }

    mutating func next() -> Update {
        now = now + .milliseconds(40)
        var update = Update(base: number, number: number + 1, totals: copy.totals, at: now)
        number += 1
        var order = copy.order
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            switch Int.random(in: 0..<8, using: &random) {
            case 0:
                for _ in 0..<Int.random(in: 1...20, using: &random) {
                    lastID += 1
                    order.append(TransferID(lastID))
                    update.rows[TransferID(lastID)] = row(lastID)
                    update.append(.appended([TransferID(lastID)]))
                }
            case 1 where !order.isEmpty:
                let id = order.remove(at: Int.random(in: order.indices, using: &random))
                update.removed.append(id)
                update.rows[id] = nil
                update.order = .whole(order)
            case 2:
                order.shuffle(using: &random)
                update.order = .whole(order)
            case 3, 4:
                guard var row = order.randomElement(using: &random).flatMap({ copy.row($0) }) else { continue }
                row.phase = .moving
                row.have = ByteCount(bytes: row.have.bytes + 1)
                row.rate = Bool.random(using: &random) ? ByteRate(perSecond: 77) : nil
                update.rows[row.id] = row
            default:
                guard let id = order.randomElement(using: &random) else { continue }
                update.rows[id] = row(id.number)
                update.append(FeedEvent(id: id, at: now, kind: .moved, completed: 5, have: ByteCount(bytes: 5)))
            }
        }
        update.totals.count = order.count
        update.totals.fetched += 1
        update.totals.rate = Bool.random(using: &random) ? ByteRate(perSecond: 7) : nil
        if Int.random(in: 0..<5, using: &random) == 0 { update.totals.stalled += 1 }
        copy.apply(update)
        return update
    }

    mutating func row(_ number: Int) -> TransferSnapshot {
        let phases: [TransferPhase] = [
            .waiting(.slot), .waiting(.held), .waiting(.sizing), .waiting(.space(folder: "/x")), .connecting,
            .requested,
            .moving, .paused, .backoff(until: now, attempt: 2, limit: 5, failure: .httpStatus(503)), .replying,
            .verifying, .finished(.saved(path: "a/b")), .finished(.skipped(path: "b")),
            .finished(.alreadyComplete(path: "c")), .finished(.sent(path: "d")),
            .finished(.listed(path: "m.meta4", Found(files: 3))),
            .failed(.unreachable(host: "h", reason: "\"no\"\n\u{1b}")),
            .failed(.diskFull(folder: "f", needs: ByteCount(bytes: 7))), .cancelled,
        ]
        let size = ByteCount(bytes: Int64.random(in: 0...1_000_000, using: &random))
        let sizes: [SizeKnowledge] = [.unknown(estimate: size), .probed(size), .declared(size), .exact(size)]
        return TransferSnapshot(
            id: TransferID(number), direction: Bool.random(using: &random) ? .down : .up,
            name: "name \(number) \u{1b}[31m é", host: "h\(number % 3)",
            urls: MirrorList([try? TransferURL("http://h/\(number)")].compactMap(\.self)), folder: "/x",
            namedParts: number % 3, phase: phases.randomElement(using: &random) ?? .moving,
            have: ByteCount(bytes: Int64.random(in: 0...size.bytes, using: &random)),
            size: sizes.randomElement(using: &random) ?? .exact(size),
            rate: Bool.random(using: &random) ? ByteRate(perSecond: 1234.5) : nil,
            stalledSince: Bool.random(using: &random) ? now : nil, finish: Bool.random(using: &random) ? now : nil,
            isAtRateLimit: Bool.random(using: &random),
            limit: Bool.random(using: &random) ? ByteRate(perSecond: 9) : nil,
            rebase: Bool.random(using: &random) ? Rebase(cause: .fileChanged, at: now, completed: -5, total: 3) : nil,
            verified: Bool.random(using: &random) ? size : nil,
            warning: Bool.random(using: &random) ? .page(expected: ".zip") : nil,
            retry: Bool.random(using: &random) ? .init(failure: .stalled(seconds: 3), attempt: 2, limit: 5) : nil,
            split: Bool.random(using: &random)
                ? SplitProgress(connections: 2, onDisk: [0..<5, 8..<9], working: [5, 9], reason: "more did not help")
                : nil, wouldBeginAgain: Bool.random(using: &random))
    }
}

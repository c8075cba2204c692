import WinchModel

/// When rows were added, started and settled in this run, and how many bytes each had at its start.
///
/// Arrays indexed by the id's number, since ids are consecutive. Most rows of a long list have not started: 100,000 waiting
/// ones take 400 KB, and 2 MB once all have started.
struct RowTimes: Sendable {
    /// Of a row that has started. Times are in the unit of `added`.
    private struct Work: Sendable {
        var began: UInt32 = 0
        var ended: UInt32 = 0
        /// In bytes.
        var from: Int64 = 0
    }

    /// Tenths of seconds since `origin`, plus 1; 0: unknown.
    private var added: [UInt32] = []
    /// In blocks of `blockSize` rows; an empty one until the first of its rows starts.
    private var blocks: [ContiguousArray<Work>] = []
    private var origin: Moment?

    /// 128 rows, 2 KiB: a few started rows in a long list cost little, and the array of blocks is short.
    private static let blockSize = 128

    /// Records the times of an update's events.
    mutating func take(_ update: Update) {
        if origin == nil { origin = update.at }
        for event in update.events {
            guard let id = event.id else { continue }
            let at = tenths(event.at)
            switch event.kind {
            case .added, .reopened: add(id, at)
            case .started:
                change(id) { work in
                    // A further attempt continues the same work, unless the transfer had settled before.
                    guard work.began == 0 || work.ended != 0 else { return }
                    (work.began, work.ended, work.from) = (at, 0, event.have.bytes)
                }
            case .finished, .failed, .cancelled:
                if work(id) != nil { change(id) { if $0.began != 0, $0.ended == 0 { $0.ended = at } } }
            case .redirected, .headers, .moved, .rebase, .sized, .paused, .resumed, .retrying, .awaitingSpace,
                .connections, .warned, .verifying, .replying, .removed, .restored, .queueFinished:
                break
            }
        }
    }

    func added(_ id: TransferID) -> Moment? {
        added.indices.contains(id.number) ? moment(added[id.number]) : nil
    }

    /// The time from the first attempt in this run until the transfer settled, or until `now`; `nil` before the
    /// first.
    func elapsed(_ id: TransferID, at now: Moment) -> Duration? {
        guard let work = work(id), let began = moment(work.began) else { return nil }
        return max(.zero, (moment(work.ended) ?? now) - began)
    }

    /// The bytes fetched in this run divided by `elapsed`; `nil` if none were fetched.
    func meanRate(of row: TransferSnapshot, at now: Moment) -> ByteRate? {
        guard let work = work(row.id), let span = elapsed(row.id, at: now) else { return nil }
        let (fetched, isTooMuch) = row.have.bytes.subtractingReportingOverflow(work.from)
        return isTooMuch || fetched <= 0 ? nil : ByteCount(bytes: fetched).rate(over: span)
    }

    private mutating func add(_ id: TransferID, _ at: UInt32) {
        guard id.number >= 0 else { return }
        if id.number >= added.count { added += repeatElement(0, count: id.number + 1 - added.count) }
        added[id.number] = at
    }

    private func work(_ id: TransferID) -> Work? {
        guard id.number >= 0, id.number / Self.blockSize < blocks.count else { return nil }
        let block = blocks[id.number / Self.blockSize]
        return block.isEmpty ? nil : block[id.number % Self.blockSize]
    }

    private mutating func change(_ id: TransferID, _ change: (inout Work) -> Void) {
        guard id.number >= 0 else { return }
        let (block, place) = id.number.quotientAndRemainder(dividingBy: Self.blockSize)
        if block >= blocks.count { blocks += repeatElement([], count: block + 1 - blocks.count) }
        if blocks[block].isEmpty { blocks[block] = ContiguousArray(repeating: Work(), count: Self.blockSize) }
        change(&blocks[block][place])
    }

    private func tenths(_ moment: Moment) -> UInt32 {
        guard let origin else { return 0 }
        return UInt32(clamping: max(0, (moment - origin).nanoseconds / Self.tenth) + 1)
    }

    private func moment(_ tenths: UInt32) -> Moment? {
        guard tenths > 0, let origin else { return nil }
        return origin + .nanoseconds(Int64(tenths - 1) * Self.tenth)
    }

    private static let tenth: Int64 = 100_000_000
}

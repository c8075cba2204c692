import WinchModel

/// When rows were added, started and settled in this run, and how many bytes each had at its start.
///
/// An array indexed by the id's number, since ids are consecutive: 100,000 rows take 3 MB.
struct RowTimes: Sendable {
    /// Times are tenths of seconds since `origin`, plus 1; 0: unknown. `from` is in bytes.
    private struct Entry: Sendable {
        var added: UInt32 = 0
        var began: UInt32 = 0
        var ended: UInt32 = 0
        var from: Int64 = 0
    }

    private var entries: [Entry] = []
    private var origin: Moment?

    /// Records the times of an update's events.
    mutating func take(_ update: Update) {
        if origin == nil { origin = update.at }
        for event in update.events {
            guard let id = event.id else { continue }
            let at = tenths(event.at)
            switch event.kind {
            case .added, .reopened: change(id) { $0.added = at }
            case .started:
                change(id) { entry in
                    // A further attempt continues the same work, unless the transfer had settled before.
                    guard entry.began == 0 || entry.ended != 0 else { return }
                    (entry.began, entry.ended, entry.from) = (at, 0, event.have.bytes)
                }
            case .finished, .failed, .cancelled:
                change(id) { if $0.began != 0, $0.ended == 0 { $0.ended = at } }
            case .redirected, .headers, .moved, .rebase, .sized, .paused, .resumed, .retrying, .awaitingSpace,
                .connections, .verifying, .replying, .removed, .restored, .queueFinished:
                break
            }
        }
    }

    func added(_ id: TransferID) -> Moment? { entry(id).flatMap { moment($0.added) } }

    /// The time from the first attempt in this run until the transfer settled, or until `now`; `nil` before the
    /// first.
    func elapsed(_ id: TransferID, at now: Moment) -> Duration? {
        guard let entry = entry(id), let began = moment(entry.began) else { return nil }
        return max(.zero, (moment(entry.ended) ?? now) - began)
    }

    /// The bytes fetched in this run divided by `elapsed`; `nil` if none were fetched.
    func meanRate(of row: TransferSnapshot, at now: Moment) -> ByteRate? {
        guard let entry = entry(row.id), let span = elapsed(row.id, at: now) else { return nil }
        let (fetched, isTooMuch) = row.have.bytes.subtractingReportingOverflow(entry.from)
        return isTooMuch || fetched <= 0 ? nil : ByteCount(bytes: fetched).rate(over: span)
    }

    private func entry(_ id: TransferID) -> Entry? {
        entries.indices.contains(id.number) ? entries[id.number] : nil
    }

    private mutating func change(_ id: TransferID, _ change: (inout Entry) -> Void) {
        guard id.number >= 0 else { return }
        if id.number >= entries.count {
            entries += repeatElement(Entry(), count: id.number + 1 - entries.count)
        }
        change(&entries[id.number])
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

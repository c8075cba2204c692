import WinchModel

extension QueueCopy {
    /// A session's queue: one file done, one under way, one failed.
    static func statusSample(isSettled: Bool = false) -> QueueCopy {
        var update = Update(at: Moment(nanoseconds: 0))
        let rows = [
            TransferSnapshot(
                id: TransferID(1), name: "a.iso", host: "host", phase: .finished(.saved(path: "a.iso")),
                have: ByteCount(bytes: 2048), size: .exact(ByteCount(bytes: 2048))),
            TransferSnapshot(
                id: TransferID(2), name: "b\u{9b}2J.iso", host: "host", phase: isSettled ? .cancelled : .moving,
                have: ByteCount(bytes: 512), size: .declared(ByteCount(bytes: 1024)),
                rate: isSettled ? nil : ByteRate(perSecond: 2048)),
            TransferSnapshot(
                id: TransferID(3), name: "c.iso", host: "host",
                urls: MirrorList(["http://bob:secret@host/c.iso"].compactMap { try? TransferURL($0) }), folder: "/in",
                phase: .failed(.httpStatus(404))),
        ]
        for row in rows { update.rows[row.id] = row }
        update.order = .whole(rows.map(\.id))
        (update.totals.count, update.totals.finished, update.totals.failed) = (3, 1, 1)
        if isSettled { update.totals.cancelled = 1 } else { update.totals.active = 1 }
        update.totals.rateLimit = ByteRate(perSecond: 51_200)
        var copy = QueueCopy()
        copy.apply(update)
        return copy
    }
}

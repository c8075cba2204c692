import WinchModel

extension TransferQueue {
    /// The transfer that a front end shows in detail from now on; its details come with the next update, and again when the
    /// ledger has more.
    mutating func watch(_ id: TransferID?, by watcher: Int) -> [QueueAction] {
        detailsStore.watch(id, by: watcher)
        guard let id else { return [] }
        feed.noteTotals()
        guard ledger != nil, let index = index(of: id), let key = rows[index].record.key,
            rows[index].attemptsMade > detailsStore[id]?.attempts.count ?? 0
        else { return [] }
        return [.recall(id, key)]
    }

    /// The ledger's answer: late when something else is watched by now.
    mutating func take(_ details: StoredDetails, of id: TransferID) {
        guard let calendar = ledger?.calendar, detailsStore.recall(details, of: id, calendar) else {
            ignore()
            return
        }
        feed.noteTotals()
    }

    /// The details of the watched transfers that are news.
    mutating func takeDetails(at now: Moment) -> [TransferDetails] {
        guard detailsStore.hasWatchers else { return [] }
        let news = detailsStore.watched.compactMap { view in
            details(view, at: now).flatMap { detailsStore.report($0, to: view.watcher) }
        }
        return Dictionary(news.map { ($0.id, $0) }) { first, _ in first }.values.sorted { $0.id < $1.id }
    }

    /// The details of the watched transfers.
    func details(at now: Moment) -> [TransferDetails] {
        let all = detailsStore.watched.compactMap { details($0, at: now) }
        return Dictionary(all.map { ($0.id, $0) }) { first, _ in first }.values.sorted { $0.id < $1.id }
    }

    private func details(_ view: DetailsStore.View, at now: Moment) -> TransferDetails? {
        self[view.id]?.details(detailsStore[view.id], view.recalled, ledger?.calendar, at: now)
    }
}

extension TransferState {
    /// In all runs.
    var attemptsMade: Int { record.attempts + Int(attempts) }

    /// - Parameters:
    ///   - record: what is kept of its attempts; `nil` before the first of this run.
    ///   - recalled: what the ledger has of earlier ones.
    func details(
        _ record: DetailsStore.Record?, _ recalled: DetailsStore.Recalled?, _ calendar: CalendarConversion?,
        at now: Moment
    ) -> TransferDetails {
        let attempts = attempts(record?.attempts ?? [], recalled?.attempts ?? [], calendar)
        let facts = record?.facts ?? recalled?.facts
        var details = TransferDetails(
            id: id, urls: spec.urls.map(\.redacted), mirror: mirror,
            location: record?.location ?? (record?.facts == nil ? recalled?.location : nil), facts: facts,
            reply: record?.reply ?? (record?.facts == nil ? recalled?.reply : nil),
            validator: resume?.validator ?? facts?.validator, folder: spec.folder, path: name,
            partPath: resume.flatMap { $0.upload == nil ? $0.partPath : $0.upload?.name.nonEmpty }, have: have,
            size: size, ranges: rangesOnDisk,
            durable: isSaved ? ByteRanges(prefix: have).ranges : resume?.durable.ranges ?? [],
            checksums: checksums(record?.demands ?? []),
            rateLimit: settings.rateLimit, connections: openConnections(at: now), connectionReason: connectionReason,
            attempts: attempts, forgottenAttempts: max(0, attemptsMade - attempts.count),
            seconds: (record?.seconds ?? []).suffix(RateGraphSpan.seconds))
        details.source = spec.upload?.file
        return details
    }

    private func attempts(
        _ own: [AttemptRecord], _ recalled: [AttemptRecord], _ calendar: CalendarConversion?
    ) -> [AttemptRecord] {
        let first = own.first?.number ?? .max
        var attempts = (recalled.filter { $0.number < first } + own).suffix(StoredDetails.most)
        // One that was cut off had what the next went on from.
        for index in attempts.indices where attempts[index].outcome == .interrupted && attempts[index].ended == nil {
            let next = attempts.indices.contains(index + 1) ? attempts[index + 1].from : have
            attempts[index].have = max(attempts[index].have, next)
        }
        return attempts.isEmpty ? onlyAttempt(calendar).map { [$0] } ?? [] : Array(attempts)
    }

    /// Of what came whole at the first attempt nothing more is kept than when that was.
    private func onlyAttempt(_ calendar: CalendarConversion?) -> AttemptRecord? {
        guard isSaved, attemptsMade == 1, record.received == have, let calendar, let began = record.startedAt else {
            return nil
        }
        let moment = calendar.moment(of: began)
        return AttemptRecord(
            number: 1, host: hostKey, began: moment, ended: moment + record.worked, have: have, outcome: .complete)
    }

    private var isSaved: Bool {
        if case .finished = phase { true } else { false }
    }

    private var rangesOnDisk: [Range<Int64>] {
        guard spec.direction == .down, have > .zero else { return [] }
        guard let resume, resume.have == have else { return [0..<have.bytes] }
        return Array(resume.onDisk.ranges)
    }

    /// - Parameter demands: those of the latest body; none before it begins, and after a run that is over.
    private func checksums(_ demands: [ExpectedDigest]) -> [ChecksumFinding] {
        var wanted =
            demands.isEmpty
            ? ExpectedDigest.own(settings, listed: spec.listedChecksum, from: spec.listedOrigin) : demands
        if let wrong, !wanted.contains(where: { $0.checksum == wrong.checksum }) {
            wanted.append(ExpectedDigest(wrong.checksum, origin: .earlierRun))
        }
        return wanted.map { demand in
            let isWrong = wrong?.checksum == demand.checksum
            return ChecksumFinding(
                demand.checksum, origin: demand.origin, range: demand.range,
                state: isWrong ? .mismatched(got: wrong?.got ?? "") : checksumState)
        }
    }

    /// The hash that was found to be another one.
    private var wrong: (checksum: Checksum, got: String)? {
        switch phase {
        case .failed(.checksum(let type, let expected, let got)),
            .backoff(_, .checksum(let type, let expected, let got)):
            Checksum("\(type)=\(expected)").map { ($0, got) }
        default: nil
        }
    }

    /// Of each that was not found to be wrong.
    private var checksumState: ChecksumFinding.State {
        switch phase {
        case .verifying: .checking
        case .finished(.saved), .finished(.alreadyComplete): .matched
        case .waiting, .active, .paused, .backoff: .expected
        case .finished(.skipped), .finished(.listed), .finished(.sent), .failed, .cancelled: .unchecked
        }
    }
}

extension String {
    fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}

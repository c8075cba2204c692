extension TransferQueue {
    /// What the face watches from now on; its details come with the next update.
    mutating func watch(_ id: TransferID?) {
        book.watched = id
        book.told = nil
        if id != nil { feed.areTotalsChanged = true }
    }

    /// The details of the watched transfer, if they are news.
    mutating func takeDetails() -> TransferDetails? {
        guard let id = book.watched, let transfer = self[id] else { return nil }
        let details = transfer.details(book[id])
        guard details != book.told else { return nil }
        book.told = details
        return details
    }
}

extension TransferState {
    /// - Parameter record: what is kept of its attempts; `nil` before the first.
    func details(_ record: DetailBook.Record?) -> TransferDetails {
        TransferDetails(
            id: id, urls: spec.urls.map(\.redacted), mirror: mirror, location: record?.location, facts: record?.facts,
            validator: resume?.validator ?? record?.facts?.validator, folder: spec.folder, path: name,
            partPath: resume?.partPath, have: have, size: size, ranges: rangesOnDisk,
            durable: isSaved ? have : resume?.durable ?? .zero, checksums: checksums(record?.demands ?? []),
            rateLimit: settings.rateLimit, attempts: record?.attempts ?? [],
            forgottenAttempts: record?.forgotten ?? 0, seconds: (record?.seconds ?? []).suffix(RateHistory.span))
    }

    private var isSaved: Bool {
        if case .finished = phase { true } else { false }
    }

    private var rangesOnDisk: [Range<Int64>] {
        spec.direction == .down && have > .zero ? [0..<have.bytes] : []
    }

    /// - Parameter demands: those of the latest body; none before it begins, and after a run that is over.
    private func checksums(_ demands: [DigestDemand]) -> [ChecksumFinding] {
        var wanted = demands.isEmpty ? DigestDemand.own(settings) : demands
        if let wrong, !wanted.contains(where: { $0.checksum == wrong.checksum }) {
            wanted.append(DigestDemand(wrong.checksum, origin: .earlierRun))
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
        case .waiting, .connecting, .requested, .moving, .replying, .paused, .backoff: .expected
        case .finished(.skipped), .failed, .cancelled: .unchecked
        }
    }
}

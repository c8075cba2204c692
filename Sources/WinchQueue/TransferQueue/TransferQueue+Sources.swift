import WinchModel
import WinchProgress

/// Which of its URLs a file is fetched from at the same time.
extension TransferQueue {
    /// All mirrors where a checksum tells whether their bytes belong together; else only the one in use.
    ///
    /// - Parameter row: its first connection is let in.
    func sources(of row: TransferState, at now: Moment) -> SplitSources {
        var hosts: [Int: String] = [row.mirror: row.hostAndPort]
        // The user, a list or the server itself says what the whole file hashes to.
        if row.hasMirrors, row.splitting?.usesOneSource != true,
            row.spec.hasHashes || detailsStore[row.id]?.demands.isEmpty == false
        {
            for source in row.spec.urls.indices where mayUse(source, of: row, at: now) {
                hosts[source] = row.spec.urls[source].hostAndPort
            }
        }
        return SplitSources(hosts: hosts, first: row.mirror)
    }

    /// Mirrors, or a checksum, have become known while the file comes.
    mutating func takeNewSources(of id: TransferID, at now: Moment) {
        guard let row = self[id], row.splitting?.isOpen == true else { return }
        let found = sources(of: row, at: now)
        _ = split(id) { $0.sources.add(found) }
    }

    private func mayUse(_ source: Int, of row: TransferState, at now: Moment) -> Bool {
        let url = row.spec.urls[source]
        // A server whose key is not known yet asks the user: that is for a file that needs it.
        guard url.scheme != .sftp || row.url.scheme == .sftp, !url.isSigned else { return false }
        return !row.history.failedMirrors.contains(source) && row.history.earliestRetry[source] ?? now <= now
            && !hosts.faults.isCoolingDown(url.hostAndPort, at: now)
    }

    /// URLs that a further connection could use now.
    func candidates(for row: TransferState) -> [SplitSources.Candidate] {
        (row.splitting?.sources.usable ?? []).compactMap { source, host in
            guard !hosts.hasFurtherWait(host) else { return nil }
            // Transfers that wait for the host come first.
            let isQuick = row.settings.split.isNamed && schedule.parked(at: host) == (0, 0)
            let places = isQuick ? hosts.placesForNamed(at: host) : hosts.placesForFiles(at: host)
            let free = places - slots.taken(at: host)
            let allowance = row.settings.split.isNamed ? nil : hosts.allowance(host)
            let allowed = allowance.map { $0 - row.connections.numbers(at: host).count }
            let spare = min(free, allowed ?? free)
            guard spare > 0 else { return nil }
            return SplitSources.Candidate(
                source: source, host: host, open: row.connections.numbers(from: source).count, places: spare)
        }
    }

    func candidates(for id: TransferID) -> [SplitSources.Candidate] { self[id].map { candidates(for: $0) } ?? [] }

    /// The URL that the next connection uses, with its host.
    func source(for row: TransferState) -> (source: Int, host: String)? {
        SplitSources.choice(among: candidates(for: row)).map { ($0.source, $0.host) }
    }

    /// A piece of the file has a wrong hash: it is fetched again, and not from the source that sent it where there is another.
    mutating func takeWrongPiece(
        _ range: Range<Int64>, of connection: ConnectionID, from url: TransferURL?, _ failure: TransferFailure,
        at now: Moment
    ) -> [QueueAction] {
        let id = connection.transfer
        guard let index = index(of: id), rows[index].spec.direction == .down, rows[index].holdsSlot,
            connection.epoch == rows[index].lastConnection.epoch
        else { return ignoring() }
        let source = url.flatMap { url in rows[index].spec.urls.firstIndex { $0 == url } }
        var wrong = 1
        // With its port: mirrors may be on one host.
        var host = url?.hostAndPort
        if case .wrongPieces(let count, let known)? = rows[index].warning {
            wrong += count
            host = host ?? known
        }
        change(id, at: now, nil, cause: .wrongPiece) { transfer in
            transfer.warning = .wrongPieces(wrong, source: host)
            transfer.resume?.onDisk.remove(contentsOf: range)
            transfer.resume?.durable.remove(contentsOf: range)
            transfer.setHave(transfer.resume?.have ?? .zero)
        }
        guard case .checksum = failure, let sources = split(id, { $0.takeWrongPiece(from: source) }) ?? nil,
            sources.isUsable
        else {
            return fail(id, nil, failure, kept: self[id]?.resume, at: now)
        }
        guard let source, sources.isLeftAlone else { return [] }
        change(id, at: now, nil) { transfer in
            transfer.history.failedMirrors.insert(source)
            if transfer.mirror == source { _ = transfer.turnToNextMirror(excluding: []) }
        }
        let numbers = self[id]?.connections.numbers(from: source) ?? []
        return retire(in: id, atOnce: true, at: now) { $0.retire(numbers) }
    }
}

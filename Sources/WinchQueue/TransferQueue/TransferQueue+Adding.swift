import WinchModel

extension TransferQueue {
    /// Adds what a user names while the queue runs. An entry that asks for the same file as a transfer of the list, or as an
    /// entry before it, is no second transfer: one that has failed, was cancelled or is finished runs once more, any other goes
    /// on as it is. Refused are uploads that would replace the file of another one, and files that are on their way and would
    /// not be verified as the entry demands.
    mutating func add(named given: [Addition], at now: Moment) -> [QueueAction] {
        var additions: [Addition] = []
        additions.reserveCapacity(given.count)
        // Of the additions, by the file that each replaces, and the places of all by the file that each asks for.
        var uploads: [String: UploadOrder] = [:]
        var places: [WantedFile: Int] = [:]
        for addition in given {
            let spec = addition.spec
            let known = listed(spec)
            if known == nil, let place = spec.wanted.flatMap({ places[$0] }) {
                if !additions[place].spec.verifies(spec) { feed.refused.append(Self.refusal(ofOtherHashes: spec)) }
                continue
            }
            let isUnsettled = known.flatMap { self[$0] }.map { !$0.isSettled } ?? false
            // One that an earlier run has ended keeps no other from its URL, unless it is listed: then it starts again.
            let isOpen = known != nil || addition.past?.standing.isOpen ?? true
            if !isUnsettled, isOpen, let words = clash(of: spec, as: known, besides: uploads) {
                feed.refused.append(words)
                continue
            }
            guard let id = known else {
                if isOpen, let file = spec.replacedFile { uploads[file] = spec.upload }
                if let wanted = spec.wanted { places[wanted] = additions.count }
                additions.append(addition)
                continue
            }
            if let words = takeHashes(of: spec, for: id, at: now) {
                feed.refused.append(words)
                continue
            }
            feed.addedAgain.append(Update.AddedAgain(id: id, isStartedAnew: !isUnsettled))
            if !isUnsettled { startAgain(id, at: now) }
        }
        return add(additions, at: now) + removeParts(inTheWayOf: given.map(\.spec), at: now)
    }

    /// Adds what other runs have left. An entry for a file that a transfer of the list brings, verified as the entry demands, is
    /// no second transfer, and the ledger forgets it.
    mutating func takeOver(_ given: [Addition], at now: Moment) -> [QueueAction] {
        var additions: [Addition] = []
        for addition in given {
            if let known = listed(addition.spec).flatMap({ self[$0] }), known.spec.covers(addition.spec) {
                if let past = addition.past { ledger?.noteRemoved(past.key) }
            } else {
                additions.append(addition)
            }
        }
        return add(additions, at: now)
    }

    /// A transfer of the list is verified from now on as an entry for the same file demands.
    ///
    /// - Returns: why it cannot be, for the user; `nil`: it is.
    private mutating func takeHashes(of spec: TransferSpec, for id: TransferID, at now: Moment) -> String? {
        guard let transfer = self[id], !transfer.spec.verifies(spec) else { return nil }
        guard transfer.isSettled || !transfer.spec.hasHashes && transfer.connections.isEmpty else {
            return Self.refusal(ofOtherHashes: spec)
        }
        change(id, at: now, nil) { $0.spec.replaceHashes(by: spec) }
        ledger?.noteNow(id)
        return nil
    }

    private static func refusal(ofOtherHashes spec: TransferSpec) -> String {
        "\(spec.expectedName) is in the list without this checksum; add it again when it has ended"
    }

    /// Why an upload cannot be sent now, for the user: another one, which is not settled or whose connection is still closing,
    /// replaces the same file. `nil`: none does.
    ///
    /// - Parameters:
    ///   - id: of the upload itself, where it is in the list.
    ///   - additions: uploads that are about to join the list, by the file that each replaces.
    func clash(
        of spec: TransferSpec, as id: TransferID? = nil, besides additions: [String: UploadOrder] = [:]
    ) -> String? {
        guard let file = spec.replacedFile, let upload = spec.upload, let url = spec.urls.first,
            let other = additions[file] ?? replacer(of: file, besides: id)
        else { return nil }
        return upload.clash(with: other, at: url)
    }

    private func replacer(of file: String, besides own: TransferID?) -> UploadOrder? {
        guard let id = replacers[file.hashValue], id != own, let spec = self[id]?.spec,
            // Two files may have the same hash.
            spec.replacedFile == file
        else { return nil }
        return spec.upload
    }

    /// The transfer in the list for the file that an entry asks for; of several the one that is furthest, of equal ones the last.
    func listed(_ spec: TransferSpec) -> TransferID? {
        guard let file = spec.wanted else { return nil }
        return wanted.candidates(for: file).compactMap { self[$0] }.filter { $0.spec.wanted == file }.max {
            ($0.progressOrder, schedule.rank(of: $0.id)) < ($1.progressOrder, schedule.rank(of: $1.id))
        }?.id
    }

    /// A finished one is looked at as another run would do it: the server says whether the file that is there has changed.
    mutating func startAgain(_ id: TransferID, at now: Moment) {
        guard case .finished? = self[id]?.phase else { return retry(id, at: now) }
        change(id, at: now, .resumed, cause: .retried) { transfer in
            transfer.size = transfer.size.known.map(SizeKnowledge.probed) ?? .unknown(estimate: transfer.have)
            transfer.have = .zero
            transfer.warning = nil
            transfer.phase = .waiting
            transfer.record.wasFinished = true
            transfer.history.resetForRetry()
        }
    }
}

extension TransferState {
    fileprivate var progressOrder: Int {
        switch phase {
        case .cancelled: 0
        case .failed: 1
        case .finished: 2
        case .waiting, .active, .verifying, .paused, .backoff: 3
        }
    }
}

/// Finds transfers by the file that each asks for, in 11 to 22 bytes a transfer.
///
/// Entries are never taken out one by one: that of a transfer that has left the list, or has another URL by now, goes when the
/// index has doubled. The caller compares what is found with the transfer.
struct WantedIndex: Sendable {
    /// The number of the last transfer for a file, by 32 bits of the file's hash.
    private var last: [UInt32: UInt32] = [:]
    /// Those before it for the same file.
    private var earlier: [UInt32: [UInt32]] = [:]
    private var mostFiles = fewestFiles

    /// Of more transfers for the same file only so many are found, the last one among them: each would be passed at every step
    /// that looks for another.
    static let mostEqual = 16
    private static let fewestFiles = 64

    /// Files that transfers ask for, or asked for.
    var count: Int { last.count }

    /// Transfers that may ask for the file.
    func candidates(for file: WantedFile) -> [TransferID] {
        let hash = Self.hash(of: file)
        guard let number = last[hash] else { return [] }
        return (earlier[hash, default: []] + [number]).map { TransferID(Int($0)) }
    }

    /// - Parameter isListed: whether a transfer is in the list.
    mutating func insert(_ id: TransferID, for file: WantedFile, isListed: (TransferID) -> Bool) {
        if last.count >= mostFiles { dropUnlisted(isListed) }
        let (hash, number) = (Self.hash(of: file), UInt32(clamping: id.number))
        guard let before = last.updateValue(number, forKey: hash), before != number else { return }
        let others = earlier[hash, default: []].filter { $0 != number }
        earlier[hash] = (others + [before]).suffix(Self.mostEqual - 1)
    }

    private mutating func dropUnlisted(_ isListed: (TransferID) -> Bool) {
        earlier = earlier.mapValues { $0.filter { isListed(TransferID(Int($0))) } }.filter { !$0.value.isEmpty }
        last = last.filter { isListed(TransferID(Int($0.value))) || earlier[$0.key] != nil }
        mostFiles = max(Self.fewestFiles, 2 * last.count)
    }

    private static func hash(of file: WantedFile) -> UInt32 { UInt32(truncatingIfNeeded: file.hashValue) }
}

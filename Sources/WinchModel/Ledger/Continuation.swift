/// A batch, matched with what earlier runs know of it: nothing is fetched twice, and what another process fetches is left to it.
package struct Continuation: Sendable {
    /// One for each entry of the batch, in its order.
    package private(set) var additions: [Addition] = []
    /// Transfers of earlier runs that this one takes over.
    package private(set) var adopted: [LedgerKey] = []
    /// Unfinished transfers of earlier runs that the batch does not name. They stay as they are.
    package private(set) var leftBehind = 0

    /// Makes two entries the same transfer.
    package struct Request: Hashable, Sendable {
        private let url: String
        private let folder: String
        private let name: String?

        /// - Parameters:
        ///   - url: the first of the mirrors.
        ///   - name: as asked for; `nil`: the server or the URL names it.
        package init(url: TransferURL, folder: String, name: TargetPath?, in workingFolder: WorkingFolder) {
            (self.url, self.folder) = (TransferURL.redacted(url.normal), workingFolder.absolute(folder))
            self.name = name?.text
        }
    }

    /// - Parameters:
    ///   - entries: what earlier runs left; absolute folders.
    ///   - held: what other living processes are at, and which.
    ///   - sizeOfFile: of the regular file at an absolute path; `nil`: there is none.
    package init(
        of specs: [TransferSpec], from entries: [LedgerEntry], held: [Request: Int32], in workingFolder: WorkingFolder,
        sizeOfFile: (String) -> ByteCount?
    ) {
        var known = Self.known(entries, in: workingFolder)
        additions.reserveCapacity(specs.count)
        for spec in specs {
            let request = spec.urls.first.map {
                Request(url: $0, folder: spec.folder, name: spec.name, in: workingFolder)
            }
            guard let request else { continue }
            if let pid = held[request] {
                additions.append(Addition(spec: spec, refusal: .inUse(spec.expectedName, pid: pid)))
            } else if let index = known[request]?.popLast(),
                let addition = Self.goOn(entries[index], spec, sizeOfFile: sizeOfFile)
            {
                additions.append(addition)
                adopted.append(entries[index].key)
            } else {
                additions.append(Addition(spec: spec))
            }
        }
        let taken = Set(adopted)
        leftBehind = entries.count { $0.standing.isOpen && !taken.contains($0.key) }
    }

    /// Some of what was to be taken over another process took first: that is its business now.
    ///
    /// - Parameter ours: those that this run got.
    package mutating func keep(_ ours: [LedgerKey]) {
        guard ours.count != adopted.count else { return }
        let lost = Set(adopted).subtracting(ours)
        for index in additions.indices {
            guard let key = additions[index].past?.key, lost.contains(key) else { continue }
            let spec = additions[index].spec
            additions[index] = Addition(spec: spec, refusal: .inUse(spec.expectedName, pid: nil))
        }
        adopted = ours
    }

    /// By what was wished for, the best to go on with last.
    private static func known(_ entries: [LedgerEntry], in workingFolder: WorkingFolder) -> [Request: [Int]] {
        var known: [Request: [Int]] = [:]
        known.reserveCapacity(entries.count)
        for (index, entry) in entries.enumerated() {
            guard let url = entry.spec.urls.first else { continue }
            known[Request(url: url, folder: entry.spec.folder, name: entry.spec.name, in: workingFolder), default: []]
                .append(index)
        }
        for (request, indices) in known where indices.count > 1 {
            known[request] = indices.sorted { entries[$0].usefulness < entries[$1].usefulness }
        }
        return known
    }

    /// - Returns: `nil` when it must be fetched anew, as if nothing were known.
    private static func goOn(
        _ entry: LedgerEntry, _ spec: TransferSpec, sizeOfFile: (String) -> ByteCount?
    ) -> Addition? {
        switch entry.standing {
        case .unfinished, .paused, .failed, .cancelled:
            return Addition(entry, as: spec.startsPaused ? .paused : .unfinished, spec: spec)
        case .finished(.skipped): return nil
        case .finished(let outcome):
            let folder = entry.spec.folder.hasSuffix("/") ? entry.spec.folder : entry.spec.folder + "/"
            guard let size = entry.size.known, sizeOfFile(folder + outcome.path) == size else { return nil }
            // Whether it is still the right file is for its digest to say, before anything is asked of a server.
            if spec.settings.value.checksum != nil || spec.listedChecksum != nil {
                return Addition(entry, as: .unfinished, spec: spec)
            }
            var addition = Addition(entry, as: .finished(.alreadyComplete(path: outcome.path)), spec: spec)
            addition.past?.isChanged = false
            return addition
        }
    }
}

extension LedgerState {
    /// It is still to be fetched, and has not failed for good.
    package var isOpen: Bool {
        switch self {
        case .unfinished, .paused: true
        case .finished, .failed, .cancelled: false
        }
    }

    package var isFailed: Bool {
        if case .failed = self { true } else { false }
    }

    /// A run that finds it has something to do, or something to show.
    package var isLeft: Bool {
        switch self {
        case .unfinished, .paused, .failed: true
        case .finished, .cancelled: false
        }
    }
}

extension LedgerEntry {
    /// Of several of the same, the one that has most of the file; of those the latest.
    fileprivate var usefulness: (Int, Int64, Int64) {
        switch standing {
        case .finished: (2, 0, key.number)
        case .unfinished, .paused: (1, resume?.have.bytes ?? 0, key.number)
        case .failed, .cancelled: (0, resume?.have.bytes ?? 0, key.number)
        }
    }
}

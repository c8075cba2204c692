/// A batch, matched with what earlier runs know of it: nothing is fetched twice, and what another process fetches is left to it.
///
/// The batch may be matched in pieces, in its order.
package struct Continuation: Sendable {
    private let entries: [LedgerEntry]
    private var held: [Request: Int32]
    /// What is named from now on is named while the run goes on.
    private var isBatchOver = false
    private let workingFolder: WorkingFolder
    private let finishedFile: @Sendable (String) -> FileIdentity?
    private let versionOfFile: @Sendable (String) -> FileIdentity?
    /// The indices of entries that can be taken over, by what was asked for.
    private var known: [Request: [Int]]
    /// The indices of entries with a part that a URL with another query may go on with, by the request without its query.
    private let anyQuery: [Request: [Int]]
    /// The keys of those that were given to an addition (`Addition.otherQuery`).
    private var ofOtherQuery: Set<LedgerKey> = []
    /// The upload that has written to each URL last.
    private let latestUploads: [String: LatestUpload]
    /// The keys of entries that were taken over.
    private var taken: Set<LedgerKey> = []
    /// The keys of finished entries that the batch names, whether they were taken over or are fetched anew.
    private var doneBefore: Set<LedgerKey> = []

    /// Makes two entries the same transfer.
    package struct Request: Hashable, Sendable {
        private var url: String
        private let folder: ExactText
        /// Of an upload the path of what is sent.
        fileprivate var name: ExactText?
        /// Of an upload that is no file.
        private let content: UploadOrder.Content?
        /// What is uploaded becomes the file at the URL: a POST of the same file is another transfer. `nil`: a download.
        private let isReplacing: Bool?

        /// - Returns: `nil` when the order has no URL.
        package init?(_ spec: TransferSpec, in workingFolder: WorkingFolder) {
            guard let url = spec.urls.first else { return nil }
            self.url = TransferURL.redacted(url.normal)
            guard let upload = spec.upload else {
                folder = ExactText(workingFolder.absolute(spec.folder))
                (name, content, isReplacing) = ((spec.name?.text).map { ExactText($0) }, nil, nil)
                return
            }
            isReplacing = upload.replacesFile(at: url)
            folder = ExactText("")
            name = (upload.file ?? upload.folder).map { ExactText(workingFolder.absolute($0)) }
            content = name == nil ? upload.content : nil
        }

        fileprivate var withoutQuery: Request {
            var request = self
            request.url = String(url.prefix { $0 != "?" })
            return request
        }

        /// All uploads that replace this file at a server.
        private init(replacing file: String) {
            (url, folder, name) = (file, ExactText(""), nil)
            (content, isReplacing) = (nil, true)
        }

        /// What a process that is at `spec` keeps from others: all uploads that replace the same file, of anything else the same
        /// transfer.
        ///
        /// - Returns: `nil` when the order has no URL.
        package static func held(by spec: TransferSpec, in workingFolder: WorkingFolder) -> Request? {
            spec.replacedFile.map(Request.init(replacing:)) ?? Request(spec, in: workingFolder)
        }
    }

    /// - Parameters:
    ///   - entries: what earlier runs left; absolute folders.
    ///   - held: what other living processes keep from this one (`Request.held`), and which.
    ///   - finishedFile: the regular file at an absolute path; `nil`: there is none.
    ///   - versionOfFile: of the file at an absolute path, which is uploaded; `nil`: there is none.
    package init(
        from entries: [LedgerEntry], held: [Request: Int32], in workingFolder: WorkingFolder,
        finishedFile: @escaping @Sendable (String) -> FileIdentity?,
        versionOfFile: @escaping @Sendable (String) -> FileIdentity? = { _ in nil }
    ) {
        (self.entries, self.held, self.workingFolder, self.finishedFile) = (entries, held, workingFolder, finishedFile)
        self.versionOfFile = versionOfFile
        known = Self.known(entries, in: workingFolder)
        anyQuery = Self.anyQuery(entries, in: workingFolder)
        latestUploads = Self.latestUploads(entries)
    }

    /// Without earlier runs.
    package init() {
        self.init(from: [], held: [:], in: WorkingFolder("/"), finishedFile: { _ in nil })
    }

    /// Unfinished transfers of earlier runs that the batch has not named so far, not even with another query. They stay as they
    /// are.
    package var otherUnfinished: Int {
        entries.count { $0.standing.isOpen && !taken.contains($0.key) && !ofOtherQuery.contains($0.key) }
    }

    /// The batch has an entry for this one, which needs no other.
    package func names(_ entry: LedgerEntry) -> Bool { taken.contains(entry.key) || doneBefore.contains(entry.key) }

    /// Earlier runs have left nothing that an entry could be matched with.
    package var isEmpty: Bool { known.isEmpty && held.isEmpty }

    /// These are in the list by themselves: no entry takes them over.
    package mutating func leaveOut(_ keys: some Sequence<LedgerKey>) { taken.formUnion(keys) }

    /// The batch has been matched. Entries that are named later may be matched after hours, when other processes have ended or
    /// finished what they had: no such entry is refused for their sake.
    package mutating func endBatch() {
        isBatchOver = true
        held = [:]
        known = known.filter { !$0.value.isEmpty }
    }

    /// How an earlier run has finished the file that a listing names again; of several the latest.
    package mutating func finished(_ spec: TransferSpec) -> LedgerEntry? {
        guard let request = Request(spec, in: workingFolder),
            let index = known[request]?.last(where: { entries[$0].hasFile && entries[$0].mayBe(spec) })
        else { return nil }
        doneBefore.insert(entries[index].key)
        return entries[index]
    }

    /// Matches the next piece of the batch.
    ///
    /// - Parameter adopt: makes this run the owner of entries. Returns the keys of those that it got: another process may
    ///   have taken the others first.
    /// - Returns: one for each entry of the batch, in its order.
    package mutating func additions(
        for specs: [TransferSpec], adopting adopt: ([LedgerKey]) -> [LedgerKey]
    ) -> [Addition] {
        guard !isEmpty else { return specs.map { Addition(spec: $0) } }
        var adopted: [LedgerKey] = []
        var additions = specs.compactMap { addition(for: $0, &adopted) }
        guard !adopted.isEmpty else { return additions }
        taken.formUnion(adopted)
        let lost = Set(adopted).subtracting(adopt(adopted))
        for index in additions.indices where additions[index].past.map({ lost.contains($0.key) }) ?? false {
            let spec = additions[index].spec
            let refusal = isBatchOver ? nil : TransferFailure.inUse(spec.expectedName, pid: nil)
            additions[index] = Addition(spec: spec, refusal: refusal)
        }
        return additions
    }

    private mutating func addition(for spec: TransferSpec, _ adopted: inout [LedgerKey]) -> Addition? {
        guard let request = Request(spec, in: workingFolder) else { return nil }
        if !held.isEmpty, let pid = Request.held(by: spec, in: workingFolder).flatMap({ held[$0] }) {
            return Addition(spec: spec, refusal: .inUse(spec.expectedName, pid: pid))
        }
        for index in known[request] ?? [] where !entries[index].standing.isLeft && entries[index].mayBe(spec) {
            doneBefore.insert(entries[index].key)
        }
        guard let index = take(request, of: spec), let addition = continued(entries[index], spec)
        else {
            var addition = Addition(spec: spec)
            addition.otherQuery = otherQuery(request, of: spec)
            return addition
        }
        adopted.append(entries[index].key)
        return addition
    }

    /// The entry to go on with, which no later one of the batch gets.
    private mutating func take(_ request: Request, of spec: TransferSpec) -> Int? {
        while let last = known[request]?.last, taken.contains(entries[last].key) { known[request]?.removeLast() }
        if let indices = known[request], !indices.isEmpty {
            let (taken, entries) = (self.taken, self.entries)
            func fits(_ index: Int) -> Bool {
                let entry = entries[index]
                // The file of a folder that is not known to be the one that was finished (`finished`) is fetched anew.
                if spec.isOfTree, !spec.hasHashes, case .finished = entry.standing { return false }
                return !taken.contains(entry.key) && entry.mayBe(spec)
            }
            let account = spec.accountMark
            let place =
                indices.lastIndex { fits($0) && entries[$0].spec.accountMark == account }
                ?? indices.lastIndex { fits($0) }
            if let place { return known[request]?.remove(at: place) }
        }
        // A URL alone leads to the same part as one with the name that it has itself, from `out=` or a Metalink.
        guard spec.name == nil, spec.upload == nil else { return nil }
        var named = request
        named.name = ExactText(spec.expectedName)
        guard let index = known[named]?.last, !taken.contains(entries[index].key), entries[index].standing.isOpen,
            entries[index].resume != nil, entries[index].mayBe(spec)
        else { return nil }
        known[named]?.removeLast()
        return index
    }

    /// The entry whose part the transfer may turn out to go on with: that is for the server to say, so it is not taken.
    private mutating func otherQuery(_ request: Request, of spec: TransferSpec) -> LedgerEntry? {
        let index = anyQuery[request.withoutQuery]?.last { index in
            !taken.contains(entries[index].key) && !ofOtherQuery.contains(entries[index].key)
                && entries[index].mayBe(spec)
        }
        guard let index else { return nil }
        ofOtherQuery.insert(entries[index].key)
        return entries[index]
    }

    /// Without a strong ETag no part is taken for that of a URL with another query.
    private static func anyQuery(_ entries: [LedgerEntry], in workingFolder: WorkingFolder) -> [Request: [Int]] {
        var found: [Request: [Int]] = [:]
        for (index, entry) in entries.enumerated() where entry.standing.isLeft && entry.spec.upload == nil {
            guard case .strongETag = entry.resume?.validator, let request = Request(entry.spec, in: workingFolder)
            else { continue }
            found[request.withoutQuery, default: []].append(index)
        }
        return found
    }

    /// By what was wished for, the best to go on with last.
    private static func known(_ entries: [LedgerEntry], in workingFolder: WorkingFolder) -> [Request: [Int]] {
        var known: [Request: [Int]] = [:]
        known.reserveCapacity(entries.count)
        for (index, entry) in entries.enumerated() {
            if let request = Request(entry.spec, in: workingFolder) { known[request, default: []].append(index) }
        }
        for (request, indices) in known where indices.count > 1 {
            known[request] = indices.sorted { entries[$0].usefulness < entries[$1].usefulness }
        }
        return known
    }

    private struct LatestUpload {
        var key: LedgerKey
        /// When it ended, in milliseconds since 1970.
        var endedAt: Int64
    }

    /// What it has sent is still at the URL, as far as the entries tell.
    private func isLatestUpload(_ entry: LedgerEntry) -> Bool {
        guard let url = entry.spec.urls.first, entry.spec.upload?.replacesFile(at: url) == true else { return true }
        return latestUploads[url.place].map { $0.key == entry.key } ?? true
    }

    private static func latestUploads(_ entries: [LedgerEntry]) -> [String: LatestUpload] {
        var latest: [String: LatestUpload] = [:]
        for entry in entries {
            // A service may store what it gets by POST under its own URL.
            guard let url = entry.spec.urls.first, entry.spec.upload != nil,
                entry.settledAt != nil || entry.startedAt != nil
            else { continue }
            // When an unfinished upload wrote to the URL last is not known.
            let upload = LatestUpload(key: entry.key, endedAt: entry.settledAt?.milliseconds ?? .max)
            guard let other = latest[url.place], (other.endedAt, other.key) > (upload.endedAt, upload.key) else {
                latest[url.place] = upload
                continue
            }
        }
        return latest
    }

    /// - Returns: `nil` when it must be fetched anew, as if nothing were known.
    private func continued(_ entry: LedgerEntry, _ spec: TransferSpec) -> Addition? {
        switch entry.standing {
        case .unfinished, .paused, .failed, .cancelled:
            var spec = spec
            spec.name = spec.name ?? entry.spec.name
            // The bytes kept are of the file that a server's Metalink has described; after a wrong hash nothing is kept.
            if entry.standing.keepsBytes { spec.inheritHashes(from: entry.spec) }
            return Addition(entry, as: spec.startsPaused ? .paused : .unfinished, spec: spec)
        case .finished(.skipped), .finished(.listed): return nil
        case .finished(.sent(let path)),
            .finished(.alreadyComplete(let path)) where entry.spec.upload != nil:
            // Sent again when the source is another one now, or when another one has been sent to the URL since.
            guard let file = spec.upload?.file, let sent = entry.resume?.upload?.source,
                versionOfFile(workingFolder.absolute(file)) == sent, isLatestUpload(entry)
            else { return nil }
            var addition = Addition(entry, as: .finished(.alreadyComplete(path: path)), spec: spec)
            addition.isPastChanged = false
            return addition
        case .finished(let outcome):
            let folder = entry.spec.folder.hasSuffix("/") ? entry.spec.folder : entry.spec.folder + "/"
            // A file of the same size that was written to since is not known to be the one that was downloaded.
            guard let file = finishedFile(folder + outcome.path), entry.describes(file) else { return nil }
            // Whether it is still the right file is for its hashes to say, before anything is asked of a server; one that may be
            // replaced is wanted as the server has it now.
            if spec.hasHashes || spec.settings.value.onConflict == .overwrite {
                var addition = Addition(entry, as: .unfinished, spec: spec)
                addition.wasFinished = true
                return addition
            }
            guard file.length == spec.listedSize?.bytes ?? file.length else { return nil }
            var addition = Addition(entry, as: .finished(.alreadyComplete(path: outcome.path)), spec: spec)
            addition.isPastChanged = false
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

    /// The next run goes on with what is on disk.
    fileprivate var keepsBytes: Bool {
        if case .failed(.checksum) = self { false } else { true }
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

extension [LedgerEntry] {
    /// The keys of those that are left of a file for which another one is better to go on with, and does all that they ask for:
    /// several runs were at it, each with an entry of its own.
    package var repeated: Set<LedgerKey> {
        /// The index of the best, by the hash of the file that each asks for.
        var best: [Int: Int] = [:]
        var repeated: Set<LedgerKey> = []
        for index in indices where self[index].standing.isLeft {
            guard let wanted = self[index].spec.wanted else { continue }
            let other = best[wanted.hashValue, default: index]
            guard other != index, self[other].spec.wanted == wanted else {
                best[wanted.hashValue] = other
                continue
            }
            let isBetter = self[other].usefulness < self[index].usefulness
            let (better, lesser) = isBetter ? (index, other) : (other, index)
            guard self[better].spec.covers(self[lesser].spec) else { continue }
            best[wanted.hashValue] = better
            repeated.insert(self[lesser].key)
        }
        return repeated
    }
}

extension LedgerEntry {
    /// Whether it may be of the account that a spec for the same URL names. What is finished must be of that account. One that is
    /// not may have failed for want of a login, or with a token that has ended, but not as another user.
    fileprivate func mayBe(_ wanted: TransferSpec) -> Bool {
        guard standing.isLeft else { return spec.accountMark == wanted.accountMark }
        guard let user = spec.userName, let other = wanted.userName else { return true }
        return ExactText(user) == ExactText(other)
    }

    /// It has downloaded the file, or found it complete.
    fileprivate var hasFile: Bool {
        switch standing {
        case .finished(.saved), .finished(.alreadyComplete): spec.upload == nil
        case .finished(.skipped), .finished(.sent), .finished(.listed), .unfinished, .paused, .failed, .cancelled: false
        }
    }

    /// A run that goes on with the list has it: it is left, or its run was killed before the part of a cancelled transfer was
    /// removed, or it is a folder that counts towards `--max-files`.
    package var isResumed: Bool {
        standing.isLeft || standing == .cancelled && resume != nil || spec.folderOrder?.rules.value.mostFiles != nil
    }

    /// Of several of the same, the one that has most of the file; of those the latest.
    fileprivate var usefulness: (Int, Int64, Int64) {
        switch standing {
        case .finished: (2, 0, key.number)
        case .unfinished, .paused: (1, resume?.have.bytes ?? 0, key.number)
        case .failed, .cancelled: (0, resume?.have.bytes ?? 0, key.number)
        }
    }
}

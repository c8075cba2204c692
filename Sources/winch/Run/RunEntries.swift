import Dispatch
import Synchronization
import WinchModel
import WinchQueue
import WinchTransport

/// Makes transfers of a run out of entries: of its list, of what a user types while it runs, of what clients of a session add,
/// and of what folders and Metalinks name. Here alone an entry gets the checksum that is listed for it, absolute paths in a
/// session, and what earlier runs have of it. Whether it is in the list already is for the queue to say.
final class RunEntries: EntryDoor {
    private struct Earlier {
        /// `nil`: nothing is taken over, and only what is finished is known.
        let runs: EarlierRuns?
        var continuation: Continuation

        mutating func additions(for specs: [TransferSpec]) -> [Addition] {
            runs?.additions(for: specs, &continuation) ?? specs.map { Addition(spec: $0) }
        }

        mutating func finished(_ specs: [TransferSpec]) -> [LedgerEntry?] { specs.map { continuation.finished($0) } }

        mutating func reopenRest() -> [Addition] {
            guard let runs else { return [] }
            let additions = runs.reopen(withDone: true, withInput: false, besides: continuation).additions
            continuation.leaveOut(additions.compactMap(\.past?.key))
            return additions
        }
    }

    private let sums: ChecksumListFiles
    /// That of a session, whose clients have other ones; `nil`: paths stay as they are given.
    private let folder: WorkingFolder?
    /// `nil`: the ledger is not open.
    private let earlier = Mutex<Earlier?>(nil)
    private let claims = Mutex(NameClaims())
    /// Earlier runs have left something that is not in the list.
    private let hasEarlier = Atomic(true)
    private let reader = DispatchQueue(label: "winch.entries", qos: .userInitiated)
    /// Entries that `reader` has still to let in.
    private let pending = Atomic(0)

    /// - Parameters:
    ///   - sums: of `--sums`.
    ///   - folder: the working folder of a session; `nil`: the run is none.
    init(_ sums: ChecksumListFiles, folder: WorkingFolder?) { (self.sums, self.folder) = (sums, folder) }

    /// The ledger is open.
    ///
    /// - Parameter reopened: transfers of earlier runs that the list has by itself.
    func open(_ runs: EarlierRuns, with reopened: [Addition]) {
        runs.keep(sums)
        let continuation = runs.continuation(besides: Set(reopened.compactMap(\.past?.key)))
        earlier.withLock { $0 = Earlier(runs: runs, continuation: continuation) }
    }

    /// Only to judge the files of folders: the ledger is not that of a run.
    ///
    /// - Parameter finished: downloads of earlier runs, with absolute folders.
    func open(finished: [LedgerEntry]) {
        let continuation = Continuation(from: finished, held: [:], in: .current(), finishedFile: { _ in nil })
        earlier.withLock { $0 = Earlier(runs: nil, continuation: continuation) }
    }

    /// Transfers for entries, in their order. Reads ledger and disk, and may block.
    func additions(for specs: [TransferSpec]) -> [Addition] { continued(demanded(of: specs)) }

    private func demanded(of specs: [TransferSpec]) -> [TransferSpec] { sums.demanded(of: specs).map(completed) }

    private func continued(_ specs: [TransferSpec]) -> [Addition] {
        earlier.withLock { $0?.additions(for: specs) } ?? specs.map { Addition(spec: $0) }
    }

    /// As `additions`, without blocking, for entries that are named when the list has been read.
    ///
    /// - Parameter enter: called with the transfers, at once when neither ledger nor disk must be read.
    func admit(_ specs: [TransferSpec], enter: @escaping @Sendable ([Addition]) -> Void) {
        perform(mayBlock: specs.contains { $0.upload != nil }) { enter(self.additions(for: specs)) }
    }

    /// As `admit`, for what a folder's listing or a Metalink names. The files of a folder are compared with those on the disk.
    func admitFound(_ specs: [TransferSpec], enter: @escaping @Sendable (Admitted) -> Void) {
        perform(mayBlock: specs.contains(where: \.isOfTree)) { enter(self.judge(specs)) }
    }

    private func perform(mayBlock: Bool, _ body: @escaping @Sendable () -> Void) {
        guard mayBlock || hasEarlier.load(ordering: .relaxed) else { return body() }
        pending.add(1, ordering: .relaxed)
        reader.async {
            body()
            self.pending.subtract(1, ordering: .relaxed)
        }
    }

    private func judge(_ specs: [TransferSpec]) -> Admitted {
        let specs = demanded(of: specs)
        let finished: [LedgerEntry?] = earlier.withLock { $0?.finished(specs) } ?? specs.map { _ in nil }
        var tree = LocalTree(specs)
        let left = claims.withLock { claims in
            zip(specs, finished).compactMap { tree.left(of: $0, earlier: $1, &claims) }
        }
        // A check changes nothing.
        if earlier.withLock({ $0?.runs != nil }) { LocalFolder.removeParts(of: tree.unchanged) }
        var admitted = Admitted(continued(left))
        (admitted.unchanged, admitted.unchangedBytes) = (tree.unchanged.count, tree.unchangedBytes)
        return admitted
    }

    /// Calls `body` when all that was named before is let in, at once where it is.
    func afterAdmitted(_ body: @escaping @Sendable () -> Void) {
        if pending.load(ordering: .relaxed) == 0 { body() } else { reader.async(execute: body) }
    }

    /// What the list does not name of the earlier runs.
    func reopenRest() -> [Addition] { earlier.withLock { $0?.reopenRest() } ?? [] }

    /// Transfers of earlier runs as the list of this run has them.
    func placed(_ additions: some Sequence<Addition>) -> [Addition] {
        additions.map { addition in folder.map { addition.absolute(in: $0) } ?? addition }
    }

    /// These are in the list by themselves.
    func leaveOut(_ additions: [Addition]) {
        let keys = additions.compactMap(\.past?.key)
        reader.async {
            self.earlier.withLock { (earlier: inout Earlier?) -> Void in earlier?.continuation.leaveOut(keys) }
        }
    }

    func endList() {
        let isEmpty = earlier.withLock { earlier in
            earlier?.continuation.endBatch()
            return earlier?.continuation.isEmpty ?? true
        }
        hasEarlier.store(!isEmpty, ordering: .relaxed)
    }

    /// A message about unfinished transfers that neither the list has named nor, so far, a Metalink or a folder.
    var reminders: [String] { earlier.withLock { $0.flatMap { $0.runs?.reminders($0.continuation) } } ?? [] }

    private func completed(_ given: TransferSpec) -> TransferSpec {
        var spec = folder.map { given.absolute(in: $0) } ?? given
        if let upload = spec.upload, spec.listedSize == nil { spec.listedSize = upload.sizeOnDisk }
        return spec
    }
}

/// Which files of folders are here already as the servers list them. Reads the disk, and may block.
struct LocalTree {
    /// With the names that they have here.
    private(set) var unchanged: [(spec: TransferSpec, name: String)] = []
    private(set) var unchangedBytes: Int64 = 0
    /// All that a listing has named; its folders come at once.
    private let specs: [TransferSpec]
    /// That of the last file: those of one listing follow each other.
    private var last: (path: String, named: Int, folder: LocalFolder?)?
    /// The settings of the last file that is replaced, and the same with which it is.
    private var replacing: (given: Shared<TransferSettings>, settings: Shared<TransferSettings>)?

    init(_ specs: [TransferSpec]) { self.specs = specs }

    /// What is left to do of an entry. A folder gets a number where a file has its name, as when it was a file at the server, and
    /// what is below it goes there too.
    ///
    /// - Parameters:
    ///   - earlier: how an earlier run has finished the file.
    ///   - claims: those of the run.
    /// - Returns: the entry, which replaces an older version that Winch has written and the user has not changed, unless
    ///   `--on-conflict` says otherwise, and leaves that version to the server's word where the ledger knows it; `nil`: the file
    ///   is unchanged.
    mutating func left(of spec: TransferSpec, earlier: LedgerEntry?, _ claims: inout NameClaims) -> TransferSpec? {
        // Hashes are compared with the bytes.
        guard spec.isOfTree, spec.upload == nil, !spec.hasHashes else { return spec }
        guard !spec.isListing else { return besideFile(spec) }
        let finding =
            if let folder = folder(spec.folder, named: spec.namedParts) {
                folder.find(spec, earlier: earlier, &claims)
            } else {
                LocalFolder.findNothing(of: spec, &claims)
            }
        switch finding {
        case .missing, .changed(own: nil, finished: _): return spec
        case .same(let name, let bytes):
            unchanged.append((spec, name))
            unchangedBytes = unchangedBytes.saturatingAdd(bytes)
            return nil
        case .changed(own: .some(let own), finished: let finished):
            var spec = spec
            if finished != nil { spec.finishedFile = finished }
            guard spec.settings.value.onConflict == .rename else { return spec }
            spec.settings = overwriting(spec.settings)
            if own != spec.expectedName { spec.name = (try? TargetPath(own)) ?? spec.name }
            return spec
        }
    }

    private mutating func besideFile(_ listing: TransferSpec) -> TransferSpec {
        let path = listing.folder
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return listing }
        let (parent, wished) = (String(path[..<slash]), String(path[path.utf8.index(after: slash)...]))
        let name = folder(parent, named: listing.namedParts - 1)?.folderName(wished) { name in
            specs.contains { $0.isListing && $0.folder.utf8.elementsEqual("\(parent)/\(name)".utf8) }
        }
        guard let name, name != wished else { return listing }
        var numbered = listing
        numbered.folder = "\(parent)/\(name)"
        return numbered
    }

    private mutating func folder(_ path: String, named: Int) -> LocalFolder? {
        if let last, last.path.utf8.elementsEqual(path.utf8), last.named == named { return last.folder }
        let folder = LocalFolder(path, named: named)
        last = (path, named, folder)
        return folder
    }

    private mutating func overwriting(_ given: Shared<TransferSettings>) -> Shared<TransferSettings> {
        if let replacing, replacing.given == given { return replacing.settings }
        var settings = given.value
        settings.onConflict = .overwrite
        let shared = Shared(settings)
        replacing = (given, shared)
        return shared
    }
}

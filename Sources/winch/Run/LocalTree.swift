import WinchModel
import WinchTransport

/// Which files of folders are here already as the servers list them. Reads the disk, and may block.
struct LocalTree {
    private(set) var unchanged = 0
    private(set) var unchangedBytes: Int64 = 0
    /// That of the last file: those of one listing follow each other.
    private var last: (path: String, named: Int, folder: LocalFolder?)?
    /// The settings of the last file that is replaced, and the same with which it is.
    private var replacing: (given: Shared<TransferSettings>, settings: Shared<TransferSettings>)?

    /// What is left to do of an entry.
    ///
    /// - Parameter earlier: how an earlier run has finished the file.
    /// - Returns: the entry, which replaces an older version that Winch has written and the user has not changed, unless
    ///   `--on-conflict` says otherwise, and leaves that version to the server's word where the ledger knows it; `nil`: the file
    ///   is unchanged.
    mutating func left(of spec: TransferSpec, earlier: LedgerEntry?) -> TransferSpec? {
        // Hashes are compared with the bytes.
        guard spec.isOfTree, !spec.isListing, spec.upload == nil, !spec.hasHashes else { return spec }
        switch folder(of: spec)?.find(spec, earlier: earlier) ?? .missing {
        case .missing, .changed(own: nil, finished: _): return spec
        case .same(let bytes):
            unchanged += 1
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

    private mutating func folder(of spec: TransferSpec) -> LocalFolder? {
        let (path, named) = (spec.folder, spec.namedParts)
        if let last, last.path == path, last.named == named { return last.folder }
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

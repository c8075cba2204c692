import WinchModel
import WinchTransport

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

package import WinchModel

/// Turns the entries of one folder into transfers: its files, and its sub-folders as listings. Names are checked, and the URL
/// of each is built from the folder's own: no byte of a listing gets into a URL unencoded.
///
/// Sub-folders are kept back until the listing has ended, because only the whole listing shows whether it is a loop; so are
/// files below the start, as long as they are few, and files whose names are changed here, which others may have.
package struct ListingReader {
    /// Levels below the start, which end a tree that links make endless.
    static let mostLevels = 100
    /// Bytes of a URL: servers refuse longer ones.
    static let longestURL = 8000
    /// As many times a folder of the same name has to list the same as the one above it, before it is a loop.
    static let repetitions = 3
    /// As many listings of a tree may repeat the same folder above them, under whatever names, before more of them are loops. Two
    /// links back can be taken in ever new orders, so that their names need not repeat, and each turn doubles the copies: only
    /// their number in the whole tree bounds them. Folders that are alike side by side repeat nothing. No real tree is known
    /// that has so many copies with the same sizes or times of files.
    static let mostCopies = 16
    /// The same where only names are listed, as by plain Apache or Python: a tree of two alike folders in each, five levels deep,
    /// repeats its start 62 times, and stays whole.
    static let mostCopiesOfNames = 64
    /// Files that are kept back until the listing has ended.
    static let mostHeld = 4096
    /// Entries that are counted where nothing is downloaded: enough to know that the folder is large.
    static let mostCounted = 10_000

    /// What has been found so far.
    package private(set) var found = Found()
    /// Of what has been listed so far, as in `FolderOrder.own`.
    package var ownFingerprint: UInt64 { fingerprint.value }
    /// The listing must be given up: it has more entries than any folder.
    package private(set) var fault: ListingFault?
    /// There are more entries than are counted.
    package private(set) var hasMore = false

    private let order: FolderOrder
    private let form: ListingForm
    private let globs: [GlobMatcher]
    private let isFTP: Bool
    /// The folder is that at which all paths begin.
    private let isTop: Bool
    /// The URL of the folder, which ends in a slash.
    private let base: String
    /// The folder below the start, as the listings above have named it: empty, or decoded components with a slash behind each.
    private let path: [UInt8]
    /// The URL of the folder ends in other names: a redirect has led to it.
    private let isMoved: Bool
    /// A file of the folder, without its URL.
    private let file: TransferSpec

    private var files: [TransferSpec] = []
    /// Files that have other names here than at the server.
    private var renamed: [(spec: TransferSpec, name: EntryName)] = []
    private var folders: [EntryName] = []
    private var taken = TakenNames()
    private var entries = 0
    private var fingerprint = Fingerprint()
    /// A file was listed with its size or its time, so that a listing that is the same is hardly that of another folder.
    private var hasVersion = false
    private var (hasFile, hasFolder) = (false, false)
    private var isHolding: Bool
    /// The first name that was refused.
    private var refused: String?
    /// For the tests, which cannot take as many.
    var mostEntries = ListingLimits.entries

    /// - Parameters:
    ///   - order: that of the listing.
    ///   - spec: the listing's own, from which its path, the local folder and the settings are taken.
    ///   - page: where the server has listed the folder; a query in it is left out.
    ///   - form: in which it has listed it.
    package init(order: FolderOrder, like spec: TransferSpec, page: TransferURL, form: ListingForm) {
        (self.order, self.form) = (order, form)
        let rules = order.rules.value
        globs = rules.globs.map(GlobMatcher.init)
        isFTP = page.scheme.isFTP
        isTop = FTPName.parts(of: page).isEmpty
        let text = page.text.utf8.prefix { $0 != UInt8(ascii: "?") }
        base = String(Substring(text)) + (text.last == .slash ? "" : "/")
        let own = spec.urls.first ?? page
        let path = order.path.map { PercentCoding.bytes($0) } ?? Self.lastParts(of: own, order.level)
        (self.path, isMoved) = (path, path != Self.lastParts(of: page, order.level))
        var file = TransferSpec(
            urls: [], folder: spec.folder, settings: spec.settings.keepingLogin(at: CollectionOfOne(rules.start)))
        file.namedParts = spec.namedParts
        self.file = file
        isHolding = order.level > 0
    }

    /// The last components of a URL's path, decoded, with a slash behind each.
    private static func lastParts(of url: TransferURL, _ count: Int) -> [UInt8] {
        url.pathText.utf8.prefix { $0 != UInt8(ascii: "?") }.split(separator: .slash).suffix(max(0, count))
            .flatMap { PercentCoding.bytes(Substring($0)) + [UInt8.slash] }
    }

    package mutating func take(_ entry: ListedEntry) {
        guard fault == nil else { return }
        guard !order.isCounting || found.files + found.folders < Self.mostCounted else {
            hasMore = true
            return
        }
        entries += 1
        guard entries <= mostEntries else {
            fault = ListingFault("the folder has more than \(mostEntries) entries")
            return
        }
        fingerprint.add(entry)
        if entry.kind == .file, entry.version.size != nil || entry.version.time != nil { hasVersion = true }
        let isFolder = entry.kind == .folder
        if isFolder { hasFolder = true } else { hasFile = true }
        // The path would begin with it. No home folder is taken for a file.
        let isHome = isTop && isFTP && entry.kind != .file && FTPName.meansHome(entry.name)
        guard !isHome, let name = EntryName(entry.name, isFTP: isFTP), let url = url(of: name, isFolder: isFolder)
        else { return refuse(entry.name) }
        let level = order.level + (isFolder ? 1 : 0)
        guard order.rules.value.depth.map({ level < $0 }) ?? true,
            globs.isEmpty || globs.take(path + entry.name, isFolder: isFolder)
        else { return }
        // A count ends sooner with duplicates, and an endless page may hold nothing else.
        guard order.isCounting || taken.insert(name, isFolder: isFolder) else { return }
        if isFolder {
            guard level <= Self.mostLevels else { return refuse(entry.name) }
            found.folders += 1
            if !order.isCounting { folders.append(name) }
        } else {
            found.files += 1
            guard !order.isCounting else { return }
            var spec = file
            spec.urls = MirrorList([url])
            // The size of a link is that of its target's name.
            spec.listedVersion = entry.kind == .file ? entry.version : ListedVersion()
            if name.isSafe { files.append(spec) } else { renamed.append((spec, name)) }
        }
    }

    /// The files that have become ready since the last call.
    package mutating func takeFiles() -> [TransferSpec] {
        if files.count >= Self.mostHeld { isHolding = false }
        guard !isHolding else { return [] }
        defer { files = [] }
        return files
    }

    /// By what the copies of one folder are counted: the tree, and the first folder above that has listed the same; `nil`: none has,
    /// or not both a file and a folder, as at the upper levels of a tree that is spread over folders `00` to `ff`.
    package var copied: UInt64? {
        guard hasFile, hasFolder, let level = order.ancestors.firstIndex(of: fingerprint.value) else { return nil }
        var hash = StableHash()
        for number in [order.rules.value.tree, fingerprint.value] {
            hash.add(bytes: withUnsafeBytes(of: number.littleEndian) { Array($0) })
        }
        for name in path.split(separator: .slash).prefix(level) { hash.add(bytes: name + [UInt8.slash]) }
        return UInt64(truncatingIfNeeded: hash.value >> 64) ^ UInt64(truncatingIfNeeded: hash.value)
    }

    /// The listing has ended well.
    ///
    /// - Parameter copies: listings that had the same `copied` before.
    /// - Returns: the rest of the files, and the sub-folders. The folder is empty if the server lists no entry at all.
    package mutating func end(
        copies: Int = 0
    ) -> (specs: [TransferSpec], warning: TransferWarning?, isEmpty: Bool) {
        let isLoop = copies >= (hasVersion ? Self.mostCopies : Self.mostCopiesOfNames) || isLoop
        if isLoop {
            found.files -= files.count + renamed.count
            found.folders = 0
            (files, renamed, folders) = ([], [], [])
        }
        var below = order
        below.form = form
        below.level += 1
        below.isLink = false
        below.ancestors.append(fingerprint.value)
        below.own = nil
        let names = taken.localNames(of: folders, and: renamed.map(\.name))
        for (index, name) in names.files.enumerated() where name != renamed[index].name.local {
            renamed[index].spec.name = try? TargetPath(name)
        }
        let listings = zip(folders, names.folders).compactMap { spec(of: $0, locally: $1, below) }
        let specs = files + renamed.map(\.spec) + listings
        (files, renamed, folders) = ([], [], [])
        let warning = refused.map { TransferWarning.namesRefused(found.refused, first: $0) }
        return (specs, isLoop ? .loop : warning, entries == 0)
    }

    /// The folder is one above it: it lists the same as that, and so did the last ones on the way here that have the same names.
    /// A tree may well have folders that are alike inside each other, so a folder that is no link has to be met again and again.
    private var isLoop: Bool {
        let ancestors = order.ancestors
        let times = order.isLink ? 1 : Self.repetitions
        let names = path.split(separator: .slash)
        guard !ancestors.isEmpty else { return false }
        return (1...ancestors.count).contains { period in
            let span = period * times
            guard span <= ancestors.count, names.count == ancestors.count else { return false }
            return stride(from: period, through: span, by: period).allSatisfy {
                ancestors[ancestors.count - $0] == fingerprint.value
            } && names.suffix(span).dropFirst(period).elementsEqual(names.suffix(span).dropLast(period))
        }
    }

    /// What was only counted, as the failure of a transfer that takes the folder for a file.
    ///
    /// - Parameters:
    ///   - path: of the folder at the server.
    ///   - isCut: the listing has no end.
    package func count(path: String, isCut: Bool = false) -> TransferFailure {
        .remoteFolder(path: path, files: found.files, folders: found.folders, isMore: hasMore || isCut)
    }

    /// The listing of a sub-folder.
    private func spec(of name: EntryName, locally local: String, _ below: FolderOrder) -> TransferSpec? {
        guard let url = url(of: name, isFolder: true) else { return nil }
        let folder = file.folder + (file.folder.utf8.last == .slash ? "" : "/") + local
        var spec = TransferSpec(urls: [url], folder: folder, settings: file.settings)
        spec.namedParts = file.namedParts + 1
        var below = below
        below.path = isMoved ? PercentCoding.encoded(String(system: path + name.bytes + [UInt8.slash])) : nil
        spec.folderOrder = below
        return spec
    }

    /// `nil`: it is too long.
    private func url(of name: EntryName, isFolder: Bool) -> TransferURL? {
        let text = base + name.encoded + (isFolder ? "/" : "")
        guard text.utf8.count <= Self.longestURL else { return nil }
        return try? TransferURL(text)
    }

    private mutating func refuse(_ name: [UInt8]) {
        found.refused += 1
        if refused == nil { refused = String(decoding: name.prefix(100), as: UTF8.self) }
    }
}

/// A component that a server named, and that can be a part of a URL and of a path.
private struct EntryName {
    /// In bytes: file systems allow 255.
    static let longest = 1000

    /// As it was listed.
    let bytes: [UInt8]
    /// As a part of a URL: every byte that is not unreserved is `%XX`.
    let encoded: String
    /// As a name on the disk. A file gets the same from its URL, unless it must have another one.
    let local: String

    /// It has the same name here as at the server.
    var isSafe: Bool { local.utf8.elementsEqual(bytes) }

    init?(_ bytes: [UInt8], isFTP: Bool) {
        guard !bytes.isEmpty, bytes.count <= Self.longest,
            !bytes.elementsEqual(".".utf8), !bytes.elementsEqual("..".utf8),
            !bytes.contains(where: { $0 == 0 || $0 == .slash }),
            !isFTP || FTPName.fault(bytes) == nil
        else { return nil }
        self.bytes = bytes
        encoded = PercentCoding.encoded(String(system: bytes))
        guard let name = TargetName(sanitizing: PercentCoding.decodedIfText(encoded)) else { return nil }
        local = name.text
    }
}

/// The names that have been taken from a listing, as hashes: a million of them take 16 MiB.
private struct TakenNames {
    private var hashes: Set<Int> = []

    /// - Returns: false when the listing has named the same file or folder before.
    mutating func insert(_ name: EntryName, isFolder: Bool) -> Bool {
        guard hashes.insert(Self.hash(name.bytes, isFolder: isFolder, isLocal: false)).inserted else { return false }
        // Most names are the same here.
        if !name.isSafe {
            hashes.insert(Self.hash(Array(name.local.utf8), isFolder: isFolder, isLocal: true))
        }
        return true
    }

    /// The names on the disk of folders, and of files that have other ones at the server, no two of them the same: with a number
    /// where a file of the listing has the name of a folder, as in a bucket that has the objects `x` and `x/y`, or where another
    /// file or folder has it, as `-x` beside `_x`. All of the listing must have been taken, and its order is of no account, so
    /// that they are the same in each run.
    func localNames(of folders: [EntryName], and files: [EntryName]) -> (folders: [String], files: [String]) {
        var given: Set<[UInt8]> = []
        let names = localNames(of: folders, areFolders: true, &given)
        return (names, localNames(of: files, areFolders: false, &given))
    }

    private func localNames(of entries: [EntryName], areFolders: Bool, _ given: inout Set<[UInt8]>) -> [String] {
        var names = entries.map(\.local)
        // The folder that is called so at the server keeps its name.
        let order = entries.indices.sorted {
            let (first, second) = (entries[$0], entries[$1])
            guard first.isSafe == second.isSafe else { return first.isSafe }
            return first.bytes.lexicographicallyPrecedes(second.bytes)
        }
        for index in order {
            let local = entries[index].local
            var (name, number) = (local, 0)
            // A file shares its first name with those that are made the same here, and all but one of them get numbers.
            while has(name, isFolder: false, isLocal: areFolders || number > 0)
                || number > 0 && has(name, isFolder: true) || !given.insert(Array(name.utf8)).inserted
            {
                number += 1
                name = TargetName.numbered(local, number)
            }
            names[index] = name
        }
        return names
    }

    /// - Parameter isLocal: also one that has the name only here.
    private func has(_ name: String, isFolder: Bool, isLocal: Bool = true) -> Bool {
        let bytes = Array(name.utf8)
        return hashes.contains(Self.hash(bytes, isFolder: isFolder, isLocal: false))
            || isLocal && hashes.contains(Self.hash(bytes, isFolder: isFolder, isLocal: true))
    }

    private static func hash(_ name: [UInt8], isFolder: Bool, isLocal: Bool) -> Int {
        var hasher = Hasher()
        hasher.combine(isFolder)
        hasher.combine(isLocal)
        name.withUnsafeBytes { hasher.combine(bytes: $0) }
        return hasher.finalize()
    }
}

/// Whether two listings are the same, whatever the order of their entries.
private struct Fingerprint {
    private(set) var value: UInt64 = 0

    mutating func add(_ entry: ListedEntry) {
        let size = entry.version.size?.bytes
        let kind: Int64 =
            switch entry.kind {
            case .file: 0
            case .folder: 1
            case .link: 2
            }
        var hash = StableHash()
        for number in [kind, size ?? -1, entry.version.time?.seconds ?? -1] {
            hash.add(bytes: withUnsafeBytes(of: number.littleEndian) { Array($0) })
        }
        hash.add(bytes: entry.name)
        value &+= UInt64(truncatingIfNeeded: hash.value >> 64) ^ UInt64(truncatingIfNeeded: hash.value)
    }
}

/// A generated tree of files below `/tree/OPTION,OPTION/`, whose folders are listed in the form of a server.
///
/// Nothing is stored: a path says what lies there, so that a tree of a million files costs no memory. The options stand in
/// the path, since a client follows no links with queries. A first folder `pub` is the start itself under a plain name.
struct FolderSite: Equatable, Sendable {
    private(set) var form = Form.nginx
    /// In each folder.
    private(set) var files = 10
    /// In each folder above the depth.
    private(set) var folders = 2
    private(set) var depth = 1
    private(set) var size: Int64 = 4 << 10
    private(set) var seed: UInt64 = 1
    /// In the start alone, instead of `files`.
    private(set) var startFiles: Int?
    private(set) var hasTags = true
    private(set) var isEndless = false
    /// The wait between pieces of a listing.
    private(set) var pause: Duration?
    /// Entries after which a listing breaks off.
    private(set) var cut: Int?
    private(set) var loop: Loop?
    private(set) var page: Page?
    private(set) var isHostile = false
    /// Of another server, to whose origin links lead.
    private(set) var otherPort: Int64?
    /// Files of each folder that are others from its second listing on.
    private(set) var changed = 0
    /// Entries of one page of a bucket's listing.
    private(set) var keys = 1000
    /// `folders`, `files` or a name: where the shared options hold.
    private(set) var only: String?

    enum Form: String, CaseIterable, Sendable {
        case nginx
        case json = "nginx-json"
        case python, dav, s3
    }

    enum Loop: String { case parent, grow }

    enum Page: String { case login }

    mutating func read(_ table: inout QueryOptions) throws(FaultServerFailure) {
        table.group("A tree of files: /tree/form=nginx,files=100/pub/, with these and those for both, + for a comma:")
        let forms = Form.allCases.map(\.rawValue).joined(separator: " ")
        form = try table.last("form", "python", "how folders are listed: \(forms)")?.choice() ?? form
        files = try table.last("files", "100", "files in each folder")?.number() ?? files
        folders = try table.last("folders", "10", "folders in each folder above the depth")?.number() ?? folders
        depth = try table.last("depth", "3", "levels of folders below the start")?.number() ?? depth
        // A pebibyte at most.
        size = min(try table.last("size", "1K", "bytes of each file")?.count() ?? size, 1 << 50)
        seed = UInt64(try table.last("seed", "7", "other contents")?.count() ?? Int64(seed))
        startFiles = try table.last("entries", "100000", "so many files in the start")?.number()
        if table.flag("noetag", "files have no ETag") { hasTags = false }
        isEndless = table.flag("endless", "listings do not end")
        pause = try table.last("slow", "0.1", "seconds between 16 entries and the next")?.seconds()
        cut = try table.last("cut", "20", "listings break off after so many entries")?.number()
        loop = try table.last("loop", "grow", "folders without an end; parent: one that is its own")?.choice()
        page = try table.last("page", "login", "listings are a page that asks for a login")?.choice()
        isHostile = table.flag("hostile", "odd names, and links that lead out of the folder")
        otherPort = try table.last("other", "8081", "links and a moved file, to a server at this port")?.count()
        changed = try table.last("changed", "2", "files that differ from the second listing on")?.number() ?? 0
        keys = max(1, try table.last("keys", "100", "entries of one page of a bucket")?.number() ?? keys)
        only = table.last("only", "files", "where options for both hold; also folders, or a name")?.text
    }

    /// Where a request leads.
    enum Place: Equatable, Sendable {
        case folder(Folder)
        case file(Folder, Entry)
        /// A folder, but the path has no slash at its end.
        case unclosed
        case nothing
    }

    func place(_ target: TreeTarget) -> Place {
        var rest = target.components[...]
        if rest.first == Array("pub".utf8) { rest.removeFirst() }
        guard let last = rest.popLast() else { return .unclosed }
        var folder = Folder(site: self)
        for name in rest {
            guard let child = folder.folder(named: name) else { return .nothing }
            folder = child
        }
        if last.isEmpty { return .folder(folder) }
        guard let entry = folder.entry(named: last) else { return .nothing }
        return entry.isFolder ? .unclosed : .file(folder, entry)
    }
}

/// The target of a request for a tree: its path, or the prefix that the bucket `tree` is asked for.
struct TreeTarget: Equatable, Sendable {
    let options: [OptionText]
    /// Decoded, below the options; the last is empty for a folder.
    let components: [[UInt8]]
    /// Decoded: `/tree/files=1/dir-0/`.
    let key: String
    /// Where the page of a bucket begins; `nil`: not a bucket's listing.
    let firstKey: Int?

    static let root = "/tree"

    init?(_ target: RequestTarget) {
        let options: String
        var components: [[UInt8]]
        if target.path.hasPrefix(Self.root + "/"), target.path.utf8.count > Self.root.utf8.count + 1 {
            let path = target.path.dropFirst(Self.root.count + 1)
            let parts = path.split(separator: "/", omittingEmptySubsequences: false)
            options = String(parts[0])
            components = parts.map { Percent.decoded($0) }
            firstKey = nil
        } else if target.path == Self.root || target.path == Self.root + "/",
            let prefix = target.options.last(where: { $0.name == "prefix" })
        {
            components = prefix.bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
                .map { Array($0) }
            options = String(decoding: components[0], as: UTF8.self)
            let token = target.options.last(where: { $0.name == "continuation-token" })?.text ?? ""
            firstKey = max(0, Int(token) ?? 0)
        } else {
            return nil
        }
        let path = components.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "/")
        self.key = Self.root + "/" + path
        components.removeFirst()
        self.components = components
        self.options = options.split(separator: ",").map { option in
            OptionText(Substring(String(option.map { $0 == "+" ? "," : $0 })))
        }
    }

    /// - Parameter only: the option `only`.
    func matches(_ only: String) -> Bool {
        let isFolder = components.last?.isEmpty ?? true
        switch only {
        case "folders": return isFolder
        case "files": return !isFolder
        default: return components.last(where: { !$0.isEmpty }) == Array(only.utf8)
        }
    }
}

extension FolderSite {
    /// What a folder holds.
    struct Entry: Equatable, Sendable {
        let name: [UInt8]
        var isFolder = false
        /// Seconds since 1970, of the first version.
        var time: Int64 = 0
        /// It is another file once its folder's version is 1.
        var isChanging = false
        /// Stands in the listing as it is, and nothing is served there; `nil`: the encoded name.
        var link: String?
    }

    struct Folder: Equatable, Sendable {
        let site: FolderSite
        /// Below the start: `dir-0/dir-1/`. A loop is left out: its files are those of its parent.
        let inner: String
        let level: Int
        /// Levels below the start of those that have no end.
        let grown: Int
        /// 1 from the second listing on.
        var version = 0
        /// Entries between the folders and the files.
        private let extras: [Entry]

        init(site: FolderSite, inner: String = "", level: Int = 0, grown: Int = 0) {
            (self.site, self.inner, self.level, self.grown) = (site, inner, level, grown)
            extras = site.extras(level: level, grown: grown)
        }

        private var folders: Int { grown == 0 && level < site.depth ? site.folders : 0 }

        private var files: Int {
            // The sum with the other entries still fits.
            if site.isEndless { return .max >> 1 }
            if grown > 0 { return 1 }
            return level == 0 ? site.startFiles ?? site.files : site.files
        }

        var count: Int { folders + extras.count + files }

        func entry(_ index: Int) -> Entry {
            if index < folders {
                return Entry(name: Array("dir-\(index)".utf8), isFolder: true, time: FolderSite.time(index))
            }
            let extra = index - folders
            return extra < extras.count ? extras[extra] : file(extra - extras.count)
        }

        private func file(_ index: Int) -> Entry {
            Entry(
                name: Array("file-\(index).bin".utf8), time: FolderSite.time(index), isChanging: index < site.changed)
        }

        func entry(named name: [UInt8]) -> Entry? {
            if let extra = extras.first(where: { $0.name == name && $0.link == nil }) { return extra }
            let text = String(decoding: name, as: UTF8.self)
            guard let index = Int(text.drop { !$0.isNumber }.prefix { $0.isNumber }), index >= 0 else { return nil }
            if index < folders, name == entry(index).name { return entry(index) }
            return index < files && name == file(index).name ? file(index) : nil
        }

        func folder(named name: [UInt8]) -> Folder? {
            guard let entry = self.entry(named: name), entry.isFolder else { return nil }
            if site.loop == .parent, name == FolderSite.loopName { return self }
            let isGrowing = site.loop == .grow && extras.contains(entry)
            return Folder(
                site: site, inner: inner + String(decoding: name, as: UTF8.self) + "/", level: level + 1,
                grown: isGrowing ? grown + 1 : 0)
        }

        /// From which the bytes of a file follow.
        func seed(of entry: Entry) -> UInt64 {
            SeededContent.seed(of: "\(site.seed)/\(inner)\(String(decoding: entry.name, as: UTF8.self))")
        }

        /// Of a file's first version; without quotes.
        func tag(of entry: Entry) -> String { String(seed(of: entry), radix: 16) }

        func version(of entry: Entry) -> Int { entry.isChanging ? version : 0 }

        /// Seconds since 1970, as `Representation` tells it: an hour later for the second version.
        func time(of entry: Entry) -> Int64 { entry.time + Int64(version(of: entry)) * 3600 }
    }

    private static let loopName = Array("again".utf8)
    /// Leads to the other server.
    static let movedName = Array("moved.bin".utf8)

    /// An hour and some apart, in the past.
    private static func time(_ index: Int) -> Int64 { 1_700_000_000 - Int64(index % 100_000) * 3671 }

    private func extras(level: Int, grown: Int) -> [Entry] {
        var extras: [Entry] = []
        func add(_ name: [UInt8], link: String? = nil, isFolder: Bool = false) {
            extras.append(Entry(name: name, isFolder: isFolder, time: Self.time(extras.count), link: link))
        }
        switch loop {
        case .parent: add(Self.loopName, isFolder: true)
        case .grow where level == grown: add(Array("deeper-\(grown + 1)".utf8), isFolder: true)
        case .grow, nil: break
        }
        guard level == 0 else { return extras }
        if isHostile {
            for name in OddNames.served { add(Array(name.utf8)) }
            for (name, link) in OddNames.hostile { add(Array(name.utf8), link: link) }
        }
        if let otherPort {
            add(Self.movedName)
            for link in ["http://127.0.0.1:\(otherPort)/f/other.bin", "//127.0.0.1:\(otherPort)/f/other.bin"] {
                add(Array(link.utf8), link: link)
            }
        }
        return extras
    }
}

/// Names and links that a client must take for what they are.
enum OddNames {
    /// One component each, with a file behind it.
    static let served = [
        "a b", "100%", "a#b", "a?b", "R&D", "a&amp;b", "\"quoted\"", "it's", "<b>", "%2e%2e", " lead", "trail ", "-rf",
        "~", "a\\b", "CON", "a -> b", "emoji \u{1F600}", "\u{5E9}\u{5DC}\u{5D5}\u{5DD}", "\u{1B}[2J",
        String(repeating: "x", count: 255),
    ]

    /// A decoded name, and the link that stands for it: nothing below the folder.
    static let hostile = [
        ("..", "../"), ("..", "%2e%2e/"), (".", "./"), ("", ""), ("../escape", "..%2fescape"), ("a/b", "a%2Fb"),
        ("../../escape", "../../escape"), ("/etc/passwd", "/etc/passwd"), ("a\0b", "a%00b"), ("a\r\nb", "a%0D%0Ab"),
        ("?C=N;O=D", "?C=N;O=D"), ("#top", "#top"), ("javascript:", "javascript:void(0)"), ("mailto:", "mailto:a@b"),
        (String(repeating: "n", count: 2000), String(repeating: "n", count: 2000)),
    ]
}

/// A file of a generated tree.
package struct TreeFile: Equatable, Sendable {
    /// Below the start: `dir-0/file-1.bin`.
    package let path: String
    package let size: Int64
    /// Seconds since 1970.
    package let time: Int64
    /// Of its first version.
    package let content: SeededContent
}

extension FolderSite.Folder {
    /// Every file below, of folders by depth first. Loops and listings without an end have none.
    var allFiles: [TreeFile] {
        guard !site.isEndless, site.loop == nil else { return [] }
        var all: [TreeFile] = []
        for index in 0..<count {
            let entry = self.entry(index)
            if entry.link != nil { continue }
            if entry.isFolder {
                all += folder(named: entry.name)?.allFiles ?? []
            } else {
                let content = SeededContent(seed: seed(of: entry))
                let path = inner + String(decoding: entry.name, as: UTF8.self)
                all.append(TreeFile(path: path, size: site.size, time: entry.time, content: content))
            }
        }
        return all
    }
}

extension OptionText {
    /// A count of files or folders, below a billion.
    fileprivate func number() throws(FaultServerFailure) -> Int { Int(min(try count(), 1_000_000_000)) }
}

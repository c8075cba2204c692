import WinchBatch
import WinchModel

/// Reads the page of links that a web server makes of a folder: of Apache, nginx, lighttpd, Caddy, IIS, Python, rclone,
/// miniserve, WsgiDAV, Jetty and Tomcat.
///
/// An entry is a link to one component below the page's own path. The text behind it, up to the next entry or the end of the row,
/// begins with its date and its size, or with its size and its date; what follows is a description. IIS has both before the
/// link. Links of a page that is not known to be an index are not taken.
package struct HTMLIndex: ListingParser {
    /// Text behind a link that may hold its facts, in bytes.
    private static let longestFacts = 1024

    private let links: LinkNames
    private let now: Int64
    private var tags = HTMLTags()
    private var forms: IndexForms
    private var length = ListingLength()
    private var isCut = false

    private var pending: ListedEntry?
    /// Raw text behind the pending link, or with IIS before the next one.
    private var facts: [UInt8] = []
    /// Within `<a>`: the name of the link is no fact.
    private var isInLink = false

    /// - Parameters:
    ///   - path: the page's own path, as it stands in the URL: from the slash after the host to the last slash.
    ///   - now: seconds since 1970 UTC.
    package init(path: String, now: Int64) {
        self.now = now
        links = LinkNames(path: path)
        forms = IndexForms(path: PercentCoding.bytes(path))
    }

    /// The page has shown itself to be an index, which all known servers do before the first entry.
    package var isIndex: Bool { forms.form != nil }

    package mutating func read(_ bytes: UnsafeRawBufferPointer, _ take: (ListedEntry) -> Void) throws(ListingFault) {
        try length.add(bytes.count)
        for byte in bytes {
            switch try tags.read(byte) {
            case .none: break
            case .text(let byte): read(text: byte)
            case .tag: read(HTMLTag(tags.tag), take)
            }
        }
    }

    package mutating func end(_ take: (ListedEntry) -> Void) throws(ListingFault) -> ListingEnd {
        guard isIndex else { throw ListingFault("this page is no list of a folder's files") }
        guard !isCut, tags.isComplete else { throw ListingFault("the folder's page is cut short") }
        finish(take)
        return .complete
    }

    private mutating func read(text byte: UInt8) {
        forms.read(text: byte)
        guard !isInLink, facts.count < Self.longestFacts, pending != nil || forms.form == .iis else { return }
        let isSpace = byte.isSpace
        if !isSpace || facts.last != UInt8(ascii: " ") { facts.append(isSpace ? UInt8(ascii: " ") : byte) }
    }

    private mutating func read(_ tag: HTMLTag, _ take: (ListedEntry) -> Void) {
        forms.read(tag)
        switch tag.name {
        case "html": isCut = !tag.isEnd
        case "a" where tag.isEnd: isInLink = false
        case "a":
            isInLink = true
            if isIndex { read(link: tag, take) }
        case "br", "tr", "li", "hr", "pre", "ul", "table", "tbody", "address", "footer", "body":
            finish(take)
        case "time":
            if let text = tag["datetime"].map({ HTMLEntities.decoded($0)[...] }) {
                pending?.version.time = ListingDates.exact(text) ?? ListingDates.first(in: text, now: now)?.time
            }
        default: break
        }
        if pending?.kind == .file, let text = tag["data-size"] ?? tag["data-order"],
            let size = ListedSize(digits: text)
        {
            pending?.version.size = size
        }
        // What stands in two elements is two words.
        if !facts.isEmpty, facts.last != UInt8(ascii: " ") { facts.append(UInt8(ascii: " ")) }
    }

    private mutating func read(link tag: HTMLTag, _ take: (ListedEntry) -> Void) {
        guard let href = tag["href"], let link = links.name(of: HTMLEntities.decoded(href)) else { return }
        let kind = link.isFolder ? ListedEntry.Kind.folder : .file
        // A picture and a name often link to the same.
        if let pending, pending.name == link.name, pending.kind == kind { return }
        let isBefore = forms.form == .iis
        let before = facts
        if !isBefore { finish(take) }
        pending = ListedEntry(name: link.name, kind: kind)
        if isBefore {
            facts = before
            finish(take)
        }
    }

    /// Gives the pending entry away with the facts that have been read.
    private mutating func finish(_ take: (ListedEntry) -> Void) {
        defer { facts.removeAll(keepingCapacity: true) }
        guard var entry = pending else { return }
        pending = nil
        let decoded = HTMLEntities.decoded(facts[...])
        // U+00A0.
        let text = (decoded.contains(0xA0) ? decoded.replacing([0xC2, 0xA0], with: " ".utf8) : decoded)[...]
        let date = ListingDates.first(in: text, now: now)
            .flatMap { Self.isOnlySize(text[..<$0.range.lowerBound]) ? $0 : nil }
        entry.version.time = entry.version.time ?? date?.time
        let after = text[(date?.range.upperBound ?? text.startIndex)...].drop(while: \.isBlank)
        var size = ListingSizes.first(in: after)
        // What does not follow the date directly is in a description.
        if size?.range.lowerBound != after.startIndex {
            size = date.flatMap { ListingSizes.first(in: text[..<$0.range.lowerBound]) }
        }
        entry.version.size = entry.version.size ?? size?.size
        take(entry)
    }

    /// Whether a date behind this text is that of the entry: nothing but its size is there, which miniserve writes twice, or in
    /// WsgiDAV its type, `Directory` or `File (text/plain)`, and the size. Behind other words a date is in a description.
    private static func isOnlySize(_ text: ArraySlice<UInt8>) -> Bool {
        var rest = text.drop(while: \.isBlank)
        if rest.starts(with: "Directory".utf8) { return rest.dropFirst(9).allSatisfy(\.isBlank) }
        if rest.starts(with: "File (".utf8) {
            rest = rest.drop { $0 != UInt8(ascii: ")") }.dropFirst()
        }
        while let size = ListingSizes.first(in: rest), !hasWord(rest[..<size.range.lowerBound]) {
            rest = rest[size.range.upperBound...]
        }
        return !hasWord(rest)
    }

    private static func hasWord(_ text: ArraySlice<UInt8>) -> Bool {
        text.contains { $0.isAlphanumeric || $0 >= 0x80 }
    }
}

/// Which links of a page are its entries: those to the page's own path and one component more.
struct LinkNames {
    /// Decoded; begins and ends with a slash.
    private let path: [UInt8]

    init(path: String) {
        self.path = PercentCoding.bytes(path)
    }

    /// The decoded component that the link names, unchecked; `nil`: it leads elsewhere, or has a query or a fragment.
    ///
    /// - Parameter isPath: it has neither, and `?` and `#` belong to the name.
    func name(of href: [UInt8], isPath: Bool = false) -> (name: [UInt8], isFolder: Bool)? {
        // As browsers do.
        var rest = href.trimmed
        guard isPath || !rest.contains(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }) else {
            return nil
        }
        let slash = UInt8(ascii: "/")
        let isFolder = rest.last == slash
        if isFolder { rest.removeLast() }
        let start = rest.lastIndex(of: slash).map { $0 + 1 } ?? rest.startIndex
        let (folder, component) = (rest[..<start], rest[start...])
        if folder.isEmpty {
            // `mailto:x` is another scheme.
            guard !component.contains(UInt8(ascii: ":")) else { return nil }
        } else if folder.first == slash {
            guard PercentCoding.bytes(Array(folder)) == path else { return nil }
        } else {
            guard folder.elementsEqual("./".utf8) else { return nil }
        }
        guard !component.isEmpty, !component.elementsEqual(".".utf8), !component.elementsEqual("..".utf8) else {
            return nil
        }
        return (PercentCoding.bytes(Array(component)), isFolder)
    }
}

extension UInt8 {
    /// White space of HTML and JSON.
    var isSpace: Bool { isBlank || (0x0A...0x0D).contains(self) }
}

/// Finds out whether a page is a server's index of a folder, by its title, its heading, or elements that a server's pages have.
struct IndexForms {
    enum Form: Hashable, Sendable {
        /// The facts follow the link.
        case common
        /// IIS: the facts stand before the link.
        case iis
    }

    /// `nil`: the page has not shown itself to be an index.
    private(set) var form: Form?

    /// The page's own path, decoded.
    private let path: [UInt8]
    /// The raw text of the title or heading that is being read; `nil`: none is.
    private var heading: [UInt8]?

    /// In bytes: a path of 4096 that is encoded as entities, and words.
    private static let longestHeading = 16 << 10
    /// Titles and headings begin so, or have it behind the server's name and ` - `; all in lower case. The last one is Jetty's.
    private static let titles = ["index of ", "directory listing for ", "directory listing of ", "directory: /"]
        .map { Array($0.utf8) }

    init(path: [UInt8]) {
        self.path = path
    }

    mutating func read(text byte: UInt8) {
        guard form == nil, let count = heading?.count, count < Self.longestHeading else { return }
        heading?.append(byte)
    }

    mutating func read(_ tag: HTMLTag) {
        guard form == nil else { return }
        switch tag.name {
        case "title", "h1":
            if let text = heading, tag.isEnd { form = Self.form(of: HTMLEntities.decoded(text[...]), path: path) }
            heading = tag.isEnd ? nil : []
        case "body":
            // miniserve, also of an empty folder.
            if tag["id"]?.elementsEqual("drop-container".utf8) ?? false { form = .common }
        case "a":
            // Apache, where the administrator's HEADER.html has replaced the title: the links that sort the columns.
            if tag["href"]?.starts(with: "?C=".utf8) ?? false { form = .common }
        case "input":
            // Caddy, in all versions.
            if tag["onkeyup"]?.elementsEqual("filter()".utf8) ?? false { form = .common }
        default: break
        }
    }

    private static func form(of heading: [UInt8], path: [UInt8]) -> Form? {
        let heading = heading.trimmed
        let text = heading.map { $0 < 0x80 && $0.isAlphanumeric ? $0 | 0x20 : $0 }
        let dash = text.firstRange(of: " - ".utf8)
        let behind = dash.map { text[$0.upperBound...] } ?? text[...]
        for title in titles where text.starts(with: title) || behind.starts(with: title) { return .common }
        // IIS: `host - /path/`.
        return heading.suffix(path.count + 3).elementsEqual(Array(" - ".utf8) + path) ? .iis : nil
    }
}

import WinchBatch
import WinchModel

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

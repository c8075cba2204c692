import WinchBatch
import WinchModel

/// The answer of a WebDAV server to PROPFIND with depth 1: a `response` with an `href` and properties for the folder itself and
/// for each entry. What lies deeper is left out.
///
/// - Source: RFC 4918, sections 9.1 and 14.
package struct DavList: ListingParser {
    private var listing: XMLListing<DavBuilder>

    /// - Parameter path: the folder's own path, as it stands in the URL: from the slash after the host to the last slash.
    package init(path: String) {
        listing = XMLListing(DavBuilder(path: path))
    }

    package mutating func read(_ bytes: UnsafeRawBufferPointer, _ take: (ListedEntry) -> Void) throws(ListingFault) {
        try listing.read(bytes, take)
    }

    package mutating func end(_ take: (ListedEntry) -> Void) throws(ListingFault) -> ListingEnd {
        try listing.end(take)
        // Behind a proxy that changes paths, no name would be recognized, and the folder would look empty.
        guard listing.builder.isOfFolder else { throw ListingFault("the server's list is one of another folder") }
        return .complete
    }
}

/// Finds the entries in the elements of a multistatus.
private final class DavBuilder: XMLListingBuilder {
    var entries: [ListedEntry] = []
    /// The folder itself, or an entry of it, has been named.
    private(set) var isOfFolder = false

    /// The elements that matter, by where they are: locks have an `href` as well.
    private enum Element {
        case multistatus, response, href, status, propstat, propertyStatus, prop
        case length, modified, tag, type, collection
        /// With all that is in it.
        case ignored
    }

    private struct Properties {
        var isFolder = false
        var version = ListedVersion()
    }

    /// The folder's path, decoded.
    private let path: [UInt8]
    private let links: LinkNames
    private var open: [Element] = []
    /// Of the response that is read.
    private var href: [UInt8]?
    private var isRefused = false
    private var properties = Properties()
    /// The properties before the open `propstat`, which hold if its status is not 200.
    private var before = Properties()
    private var hasProperties = false

    init(path: String) {
        self.path = PercentCoding.bytes(path)
        links = LinkNames(path: path)
    }

    func begin(_ name: XMLName, _ attributes: [String: String], line: Int) throws(InvalidValue) -> Bool {
        let element = try element(name)
        open.append(element)
        switch element {
        case .response: (href, isRefused, properties) = (nil, false, Properties())
        case .propstat: (before, hasProperties) = (properties, true)
        case .collection: properties.isFolder = true
        case .href, .status, .propertyStatus, .length, .modified, .tag: return true
        case .multistatus, .prop, .type, .ignored: break
        }
        return false
    }

    func end(text: [UInt8]) throws(InvalidValue) {
        switch open.popLast() {
        case .response: close()
        case .href: href = href ?? Array(text.trimmed)
        case .status: isRefused = Self.code(text)?.first != UInt8(ascii: "2")
        case .propertyStatus: hasProperties = Self.code(text)?.elementsEqual("200".utf8) ?? false
        case .propstat: if !hasProperties { properties = before }
        case .length: properties.version.size = ListedSize(digits: text.trimmed)
        case .modified: properties.version.time = ListingDates.exact(text.trimmed)
        case .tag:
            let tag = text.trimmed
            properties.version.tag = tag.starts(with: "W/".utf8) ? nil : ListedVersion.tag(tag)
        case .multistatus, .prop, .type, .collection, .ignored, nil: break
        }
    }

    private func element(_ name: XMLName) throws(InvalidValue) -> Element {
        guard let parent = open.last else {
            guard name.namespace == "DAV:", name.local == "multistatus" else {
                throw InvalidValue("this XML is no list of WebDAV: it begins with <\(name.local.prefix(40))>")
            }
            return .multistatus
        }
        guard name.namespace == "DAV:" else { return .ignored }
        switch (parent, name.local) {
        case (.multistatus, "response"): return .response
        case (.response, "href"): return .href
        case (.response, "status"): return .status
        case (.response, "propstat"): return .propstat
        case (.propstat, "status"): return .propertyStatus
        case (.propstat, "prop"): return .prop
        case (.prop, "getcontentlength"): return .length
        case (.prop, "getlastmodified"): return .modified
        case (.prop, "getetag"): return .tag
        case (.prop, "resourcetype"): return .type
        case (.type, "collection"): return .collection
        default: return .ignored
        }
    }

    /// The code of a status line such as `HTTP/1.1 200 OK`.
    private static func code(_ text: [UInt8]) -> ArraySlice<UInt8>? {
        text.trimmed.split(maxSplits: 2, whereSeparator: \.isBlank).dropFirst().first
    }

    private func close() {
        guard let href, !isRefused else { return }
        let path = Self.path(href)
        // A list of files has no queries: some servers do not encode what is in a name.
        guard let link = links.name(of: path, isPath: true) else {
            if isOwn(path) { isOfFolder = true }
            return
        }
        isOfFolder = true
        let isFolder = properties.isFolder || link.isFolder
        var version = properties.version
        if isFolder { version.size = nil }
        entries.append(ListedEntry(name: link.name, kind: isFolder ? .folder : .file, version: version))
    }

    /// Whether a path is the folder's own, with its last slash or without.
    private func isOwn(_ other: [UInt8]) -> Bool {
        var decoded = PercentCoding.bytes(other)
        if decoded.last != UInt8(ascii: "/") { decoded.append(UInt8(ascii: "/")) }
        return decoded == path
    }

    /// The path of an `href`, which may be a whole URL. Behind a proxy its scheme and host are other ones than those asked.
    private static func path(_ href: [UInt8]) -> [UInt8] {
        guard let mark = href.firstRange(of: "://".utf8), href[..<mark.lowerBound].allSatisfy(\.isAlphanumeric) else {
            return href
        }
        return Array(href[mark.upperBound...].drop { $0 != UInt8(ascii: "/") })
    }
}

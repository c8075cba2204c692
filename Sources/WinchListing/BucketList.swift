import WinchBatch
import WinchModel

/// One page of the list of an S3 bucket, asked for with a delimiter of `/`: of ListObjectsV2, or of the first version, with
/// which a server answers that does not know the second one.
///
/// Of a server that knows no delimiter either, keys below a folder give the folder.
///
/// Keys are asked for with percent codes: XML cannot have control characters, and one of them would make the whole list unreadable.
/// A server that does not know this sends them as they are. The answer tells which, with some servers only behind the keys, so
/// that those before are kept until then.
///
/// - Source: https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html and API_ListObjects.html
package struct BucketList: ListingParser {
    private var listing: XMLListing<BucketBuilder>
    private let token: String?

    /// Keys of a page that are kept: servers list a thousand at a time. Where more come before the answer tells how they are
    /// written, they are taken as they are.
    static let mostHeld = 10_000

    /// - Parameters:
    ///   - prefix: the decoded bytes that the keys of the folder's entries begin with: empty, or with a slash at the end.
    ///   - token: the token with which this page was asked for; `nil`: it is the first one.
    package init(prefix: [UInt8], after token: String? = nil) {
        self.token = token
        listing = XMLListing(BucketBuilder(prefix: prefix))
    }

    package mutating func read(_ bytes: UnsafeRawBufferPointer, _ take: (ListedEntry) -> Void) throws(ListingFault) {
        try listing.read(bytes, take)
    }

    package mutating func end(_ take: (ListedEntry) -> Void) throws(ListingFault) -> ListingEnd {
        try listing.end(take)
        let page = listing.builder
        guard page.isCut else { return .complete }
        let marker = page.marker.map(page.decoded) ?? page.lastKey
        guard let next = page.token ?? (marker.isEmpty ? nil : String(decoding: marker, as: UTF8.self)) else {
            throw ListingFault("the server's list of the folder goes on, but does not say where")
        }
        // The next page would be the same again.
        guard next != token else { throw ListingFault("the server's list of the folder repeats itself without an end") }
        return .continued(token: next, isMarker: page.token == nil)
    }
}

/// Finds the entries in the elements of a ListBucketResult.
private final class BucketBuilder: XMLListingBuilder {
    var entries: [ListedEntry] = []
    /// Another page follows.
    private(set) var isCut = false
    /// That of the next page, in the second version.
    private(set) var token: String?
    /// The key after which the next page begins, in the first version; as it was sent.
    private(set) var marker: [UInt8]?
    /// The greatest key or common prefix.
    private(set) var lastKey: [UInt8] = []

    /// The elements that matter, by where they are.
    private enum Element {
        case result, isTruncated, encoding, token, marker, contents, key, modified, tag, size, commonPrefixes
        case commonPrefix
        /// With all that is in it.
        case ignored
    }

    private let prefix: [UInt8]
    private var open: [Element] = []
    /// Keys have percent codes; `nil`: it is not known yet.
    private var isEncoded: Bool?
    /// As they were sent, until it is known.
    private var held: [Item] = []
    /// The one that is read.
    private var item = Item()
    /// The last folder that has been found: more keys below it may follow.
    private var lastFolder: [UInt8]?

    /// An object, or a common prefix.
    private struct Item {
        var key: [UInt8] = []
        var version = ListedVersion()
        /// Whatever the last byte of the key is, others begin with it.
        var isPrefix = false
    }

    init(prefix: [UInt8]) {
        self.prefix = prefix
    }

    func begin(_ name: XMLName, _ attributes: [String: String], line: Int) throws(InvalidValue) -> Bool {
        let element = try element(name)
        open.append(element)
        switch element {
        case .contents: item = Item()
        case .isTruncated, .encoding, .token, .marker, .key, .modified, .tag, .size, .commonPrefix: return true
        case .result, .commonPrefixes, .ignored: break
        }
        return false
    }

    func end(text: [UInt8]) throws(InvalidValue) {
        switch open.popLast() {
        case .isTruncated: isCut = text.trimmed.elementsEqual("true".utf8)
        case .token: if !text.isEmpty { token = String(decoding: text, as: UTF8.self) }
        case .marker: if !text.isEmpty { marker = text }
        case .encoding: try release(isEncoded: text.trimmed.elementsEqual("url".utf8))
        // A key may have blanks at its ends.
        case .key: item.key = text
        case .modified: item.version.time = ListingDates.exact(text.trimmed)
        case .tag: take(tag: text.trimmed)
        case .size: item.version.size = ListedSize(digits: text.trimmed)
        case .contents: try hold(item)
        case .commonPrefix: try hold(Item(key: text, isPrefix: true))
        case .result: try release(isEncoded: isEncoded ?? false)
        case .commonPrefixes, .ignored, nil: break
        }
    }

    private func hold(_ item: Item) throws(InvalidValue) {
        guard isEncoded == nil else { return try close(item) }
        held.append(item)
        if held.count >= BucketList.mostHeld { try release(isEncoded: false) }
    }

    private func release(isEncoded: Bool) throws(InvalidValue) {
        guard self.isEncoded ?? isEncoded == isEncoded else {
            throw InvalidValue("EncodingType comes behind keys that were read without it")
        }
        self.isEncoded = isEncoded
        for item in held { try close(item) }
        held = []
    }

    /// The key that a text of the answer stands for. As in a form, a blank is a `+` where there are codes.
    func decoded(_ text: [UInt8]) -> [UInt8] {
        guard isEncoded ?? false else { return text }
        return PercentCoding.bytes(text.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 })
    }

    private func element(_ name: XMLName) throws(InvalidValue) -> Element {
        // Some servers leave the namespace out, or have one of their own.
        guard let parent = open.last else {
            guard name.local == "ListBucketResult" else {
                throw InvalidValue("this XML is no list of a bucket: it begins with <\(name.local.prefix(40))>")
            }
            return .result
        }
        switch (parent, name.local) {
        case (.result, "IsTruncated"): return .isTruncated
        case (.result, "EncodingType"): return .encoding
        case (.result, "NextContinuationToken"): return .token
        case (.result, "NextMarker"): return .marker
        case (.result, "Contents"): return .contents
        case (.contents, "Key"): return .key
        case (.contents, "LastModified"): return .modified
        case (.contents, "ETag"): return .tag
        case (.contents, "Size"): return .size
        case (.result, "CommonPrefixes"): return .commonPrefixes
        case (.commonPrefixes, "Prefix"): return .commonPrefix
        default: return .ignored
        }
    }

    /// The tag of an object that was uploaded in parts has a dash, and depends on the size of the parts.
    private func take(tag: ArraySlice<UInt8>) {
        guard !tag.starts(with: "W/".utf8), !tag.contains(UInt8(ascii: "-")) else { return }
        item.version.tag = ListedVersion.tag(tag)
    }

    private func close(_ item: Item) throws(InvalidValue) {
        let key = decoded(item.key)
        guard key.starts(with: prefix) else {
            throw InvalidValue("a key that is not in the folder: \(String(decoding: key.prefix(80), as: UTF8.self))")
        }
        if lastKey.lexicographicallyPrecedes(key) { lastKey = key }
        // The folder itself, for which some programs make an object.
        let rest = key.dropFirst(prefix.count)
        guard !rest.isEmpty else { return }
        guard let slash = rest.firstIndex(of: UInt8(ascii: "/")) ?? (item.isPrefix ? rest.endIndex : nil) else {
            entries.append(ListedEntry(name: Array(rest), kind: .file, version: item.version))
            return
        }
        let name = Array(rest[..<slash])
        guard name != lastFolder else { return }
        lastFolder = name
        entries.append(ListedEntry(name: name, kind: .folder))
    }
}

import WinchBatch
import WinchModel

/// One page of the list of an S3 bucket, asked for with a delimiter of `/`: of ListObjectsV2, or of the first version, with
/// which a server answers that does not know the second one.
///
/// Of a server that knows no delimiter either, keys below a folder give the folder.
///
/// - Source: https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html and API_ListObjects.html
package struct BucketList: ListingParser {
    private var listing: XMLListing<BucketBuilder>
    private let token: String?

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
        let last = page.lastKey.isEmpty ? nil : String(decoding: page.lastKey, as: UTF8.self)
        guard let next = page.token ?? page.marker ?? last else {
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
    /// The key after which the next page begins, in the first version.
    private(set) var marker: String?
    /// The greatest key or common prefix.
    private(set) var lastKey: [UInt8] = []

    /// The elements that matter, by where they are.
    private enum Element {
        case result, isTruncated, token, marker, contents, key, modified, tag, size, commonPrefixes, commonPrefix
        /// With all that is in it.
        case ignored
    }

    private let prefix: [UInt8]
    private var open: [Element] = []
    /// Of the object that is read.
    private var key: [UInt8] = []
    private var version = ListedVersion()
    /// The last folder that has been found: more keys below it may follow.
    private var lastFolder: [UInt8]?

    init(prefix: [UInt8]) {
        self.prefix = prefix
    }

    func begin(_ name: XMLName, _ attributes: [String: String], line: Int) throws(InvalidValue) -> Bool {
        let element = try element(name)
        open.append(element)
        switch element {
        case .contents: (key, version) = ([], ListedVersion())
        case .isTruncated, .token, .marker, .key, .modified, .tag, .size, .commonPrefix: return true
        case .result, .commonPrefixes, .ignored: break
        }
        return false
    }

    func end(text: [UInt8]) throws(InvalidValue) {
        switch open.popLast() {
        case .isTruncated: isCut = text.trimmed.elementsEqual("true".utf8)
        case .token: if !text.isEmpty { token = String(decoding: text, as: UTF8.self) }
        case .marker: if !text.isEmpty { marker = String(decoding: text, as: UTF8.self) }
        // A key may have blanks at its ends.
        case .key: key = text
        case .modified: version.time = ListingDates.exact(text.trimmed)
        case .tag: take(tag: text.trimmed)
        case .size: version.size = ListedSize(digits: text.trimmed)
        case .contents: try close(isPrefix: false)
        case .commonPrefix:
            key = text
            try close(isPrefix: true)
        case .result, .commonPrefixes, .ignored, nil: break
        }
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
        version.tag = ListedVersion.tag(tag)
    }

    /// - Parameter isPrefix: the key is a common prefix: whatever its last byte is, keys below it exist.
    private func close(isPrefix: Bool) throws(InvalidValue) {
        guard key.starts(with: prefix) else {
            throw InvalidValue("a key that is not in the folder: \(String(decoding: key.prefix(80), as: UTF8.self))")
        }
        if lastKey.lexicographicallyPrecedes(key) { lastKey = key }
        // The folder itself, for which some programs make an object.
        let rest = key.dropFirst(prefix.count)
        guard !rest.isEmpty else { return }
        guard let slash = rest.firstIndex(of: UInt8(ascii: "/")) ?? (isPrefix ? rest.endIndex : nil) else {
            entries.append(ListedEntry(name: Array(rest), kind: .file, version: version))
            return
        }
        let name = Array(rest[..<slash])
        guard name != lastFolder else { return }
        lastFolder = name
        entries.append(ListedEntry(name: name, kind: .folder))
    }
}

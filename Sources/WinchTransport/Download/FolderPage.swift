import WinchHTTP
import WinchListing
import WinchModel

/// A page under the URL of a folder, which may be the list that a web server makes of the folder's files. Such a list is counted
/// instead of being saved; any other page is kept in memory until it is known to be none.
struct FolderPage {
    enum Kind {
        case unknown, list
        /// It is saved.
        case other
    }

    private(set) var kind = Kind.unknown
    /// The body so far, unless it is a list.
    private(set) var bytes: [UInt8] = []
    /// Of the body, as `DownloadConnection.open` wants them.
    let end, total: Int64?
    let cause: Rebase.Cause?

    private let isJSON: Bool
    private var parser: any ListingParser
    private var reader: ListingReader
    /// The list is cut short, or otherwise odd.
    private var isBroken = false

    /// 64 KiB: a list says that it is one before its first entry.
    private static let longestPrologue = 64 << 10

    /// - Parameters:
    ///   - url: that has answered; it ends in `/`.
    ///   - now: seconds since 1970 UTC.
    init(at url: TransferURL, isJSON: Bool, now: Int64, end: Int64?, total: Int64?, cause: Rebase.Cause?) {
        (self.end, self.total, self.cause, self.isJSON) = (end, total, cause, isJSON)
        var spec = TransferSpec(urls: [url], folder: "")
        let order = FolderOrder(counting: url)
        spec.folderOrder = order
        reader = ListingReader(order: order, like: spec, page: url, form: isJSON ? .json : .html)
        if isJSON { parser = JSONIndex() } else { parser = HTMLIndex(path: String(url.pathText), now: now) }
    }

    /// Nothing more of it needs to be read.
    var isCounted: Bool { reader.hasMore || isBroken }

    /// What the user is asked about.
    func count(path: String) -> TransferFailure { reader.count(path: path, isCut: isBroken) }

    mutating func take(_ more: UnsafeRawBufferPointer) {
        var entries: [ListedEntry] = []
        do throws(ListingFault) {
            try parser.read(more) { entries.append($0) }
        } catch {
            isBroken = true
        }
        for entry in entries { reader.take(entry) }
        guard kind == .unknown else { return }
        // Other JSON may have names and kinds as well; servers name a time for each entry of a folder.
        let isList = isJSON ? entries.first?.version.time != nil : (parser as? HTMLIndex)?.isIndex ?? false
        if isList {
            (kind, bytes) = (.list, [])
            return
        }
        bytes += more
        if isBroken || !entries.isEmpty || bytes.count >= Self.longestPrologue { kind = .other }
    }

    /// The body has ended.
    mutating func takeEnd() {
        guard kind == .list else {
            kind = .other
            return
        }
        var entries: [ListedEntry] = []
        do throws(ListingFault) {
            _ = try parser.end { entries.append($0) }
        } catch {
            isBroken = true
        }
        for entry in entries { reader.take(entry) }
    }
}

/// A response that is the list of a folder's files: they are counted, and nothing is saved.
extension DownloadConnection {
    /// Begins to look into the body, unless the user wants the page itself, or it can be no list.
    func beginFolderPage(end: Int64?, total: Int64?, cause: Rebase.Cause?) -> Bool {
        guard asked.isHTTP, head.status == 200, request.name == nil, request.namedParts == 0,
            settings.checksum == nil, download.body.part == nil, !head.hasContentCoding, let easy
        else { return false }
        let isJSON = head.mediaType == "application/json" && head.disposition == nil
        guard isJSON || head.isPage, request.url.asFolder != nil else { return false }
        // A list that another server makes would not be read.
        let url = url(of: easy)
        guard url.origin == request.url.origin, url.asFolder == url else { return false }
        folderPage = FolderPage(at: url, isJSON: isJSON, now: wallClock(), end: end, total: total, cause: cause)
        phase = .sniffing
        return true
    }

    /// - Returns: false when the request ends.
    func sniff(_ bytes: UnsafeRawBufferPointer) -> Bool {
        folderPage?.take(bytes)
        switch folderPage?.kind {
        case .list?:
            guard let page = folderPage, page.isCounted else { return true }
            decision = .fail(page.count(path: asked.remotePath))
            return false
        case .other?: return savePage()
        case .unknown?, nil: return true
        }
    }

    /// The body has ended before it was known what it is, or a list was counted to its end.
    func endFolderPage(_ code: CurlCode) {
        folderPage?.takeEnd()
        guard let page = folderPage else { return }
        if page.kind == .other {
            _ = savePage()
        } else if code == .ok {
            decision = .fail(page.count(path: asked.remotePath))
        }
    }

    /// The page is saved as if it had not been looked into.
    private func savePage() -> Bool {
        guard let page = folderPage else { return false }
        folderPage = nil
        do throws(TransferFailure) {
            try open(at: 0, end: page.end, total: page.total, cause: page.cause)
        } catch {
            decision = .fail(error)
        }
        guard decision == nil else { return false }
        return page.bytes.isEmpty || page.bytes.withUnsafeBytes { take(more: $0) }
    }
}

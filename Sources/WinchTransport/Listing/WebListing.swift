import WinchHTTP
import WinchModel

/// A folder of a web server: the page that it makes of it, else WebDAV's PROPFIND, or the list of an S3 bucket.
///
/// Redirects are followed from here: nothing is asked of another origin, and below the start of a tree nothing leads out of it.
struct WebListing: ListingDialogue {
    private enum Stage {
        case page, properties
        /// - Parameter index: in `buckets`.
        case bucket(Int)
    }

    /// Where the keys of a folder are listed.
    private struct Bucket {
        var url: TransferURL
        var prefix: [UInt8]
    }

    private let order: FolderOrder
    private let mostRedirects: Int
    private var stage = Stage.page
    private var page: TransferURL
    private var redirects = 0
    /// Why the page was no list; that counts if the other ways fail as well.
    private var first: TransferFailure?
    private var buckets: [Bucket] = []
    private var token: (text: String, isMarker: Bool)?
    private var pages = 0

    /// A million keys are a thousand pages.
    private static let mostPages = 10_000

    init(_ url: TransferURL, _ order: FolderOrder, mostRedirects: Int) {
        (page, self.order, self.mostRedirects) = (url, order, mostRedirects)
    }

    mutating func next(after answer: ListingAnswer?) -> ListingStep {
        guard let answer else { return begin() }
        switch stage {
        case .page: return pageAnswered(answer)
        case .properties: return propertiesAnswered(answer)
        case .bucket(let index): return bucketAnswered(index, answer)
        }
    }

    private mutating func begin() -> ListingStep {
        switch order.form {
        case .dav: askProperties()
        case .s3: askBuckets()
        case .html, .json, .mlsd, .list, .sftp, nil: askPage()
        }
    }

    // MARK: The page

    private mutating func askPage() -> ListingStep {
        stage = .page
        return .request(ListingRequest(page, page: page))
    }

    private mutating func pageAnswered(_ answer: ListingAnswer) -> ListingStep {
        if let step = follow(answer) { return step }
        switch answer.content {
        case .complete, .continued: return .done
        case .bucket:
            buckets = [Bucket(url: page, prefix: [])]
            return askBucket(0)
        case .none, .noListing: break
        }
        let failure = answer.failure ?? .badResponse("this page is no list of a folder's files")
        first = failure
        let isOther = answer.content == .noListing || [403, 404, 405, 501].contains(answer.head.status)
        guard answer.code == .ok || answer.content == .noListing, isOther else { return .failed(failure) }
        return Self.isOfS3(answer.body) ? askBuckets() : askProperties()
    }

    /// A server without WebDAV may answer PROPFIND as well.
    private mutating func askProperties() -> ListingStep {
        stage = .properties
        var request = ListingRequest(page, page: page, form: .dav)
        request.method = "PROPFIND"
        // Without a body all properties are asked for. RFC 4918, section 9.1.
        request.headers = ["Depth: 1"]
        return .request(request)
    }

    private mutating func propertiesAnswered(_ answer: ListingAnswer) -> ListingStep {
        if let step = follow(answer) { return step }
        guard let failure = answer.failure else { return .done }
        guard answer.code == .ok, !Self.isOfMoment(answer), ![207, 401].contains(answer.head.status) else {
            return .failed(failure)
        }
        return .failed(first ?? failure)
    }

    /// The server is busy or has a fault, or the connection has failed: that says nothing of the way of listing, and another
    /// attempt may succeed.
    private static func isOfMoment(_ answer: ListingAnswer) -> Bool {
        [0, 408, 425, 429, 500, 502, 503, 504].contains(answer.head.status)
    }

    // MARK: Redirects

    private mutating func follow(_ answer: ListingAnswer) -> ListingStep? {
        guard answer.code == .ok, [301, 302, 303, 307, 308].contains(answer.head.status),
            let location = answer.head.location
        else { return nil }
        redirects += 1
        guard redirects <= mostRedirects else { return .failed(.tooManyRedirects(mostRedirects)) }
        guard let next = folder(at: location) else { return .failed(.redirectRefused(words(of: location))) }
        page = next
        if case .properties = stage { return askProperties() }
        return askPage()
    }

    private func words(of location: String) -> String {
        let isElsewhere = TransferURL(location, relativeTo: page.text).map { $0.origin != page.origin } ?? false
        let shown = TransferURL.redacted(location)
        return order.level == 0 && isElsewhere ? "\(shown); give that address" : shown
    }

    /// `nil`: the redirect leads to no folder, or to one that is none of the tree.
    private func folder(at location: String) -> TransferURL? {
        guard var next = TransferURL(location, relativeTo: page.text), next.origin == page.origin,
            next.pathText.last == "/", !next.pathText.contains("?")
        else { return nil }
        // Another login than that of the transfer is none of the server's business.
        if next.login != nil {
            guard let bare = try? TransferURL(next.redacted) else { return nil }
            next = page.login == nil ? bare : next
        }
        let isInTree = next.place.utf8.starts(with: order.rules.value.start.place.utf8)
        return order.level == 0 || isInTree ? next : nil
    }
}

// MARK: - Buckets

extension WebListing {
    /// What the first bytes of a page are a list in.
    ///
    /// - Returns: `.html` also for what is none; `nil`: more bytes are needed.
    static func form(of beginning: [UInt8]) -> ListingForm? {
        var rest = beginning[...]
        if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
        let undecided: ListingForm? = beginning.count < longestBeginning ? nil : .html
        while true {
            rest = rest.drop { $0 <= 0x20 }
            if rest.first == UInt8(ascii: "[") { return .json }
            guard rest.count > 3 else { return undecided }
            let end: [UInt8]
            if rest.starts(with: "<?".utf8) {
                end = Array("?>".utf8)
            } else if rest.starts(with: "<!--".utf8) {
                end = Array("-->".utf8)
            } else if rest.first == UInt8(ascii: "<") {
                let name = rest.dropFirst().prefix { $0 > 0x20 && $0 != UInt8(ascii: ">") }
                guard name.endIndex < rest.endIndex else { return undecided }
                let local = name.split(separator: UInt8(ascii: ":")).last ?? []
                return local.elementsEqual("ListBucketResult".utf8) ? .s3 : .html
            } else {
                return .html
            }
            guard let found = rest.firstRange(of: end) else { return undecided }
            rest = rest[found.upperBound...]
        }
    }

    /// 4 KiB: a longer prologue is no list's.
    private static let longestBeginning = 4096

    /// The refusal is one of S3's, which has no folders: there is no key of this name.
    private static func isOfS3(_ body: [UInt8]) -> Bool {
        ["NoSuchKey", "AccessDenied", "NoSuchBucket"].contains { body.firstRange(of: "<Code>\($0)</Code>".utf8) != nil }
    }

    private mutating func askBuckets() -> ListingStep {
        buckets = Self.buckets(of: page)
        return askBucket(0)
    }

    /// The bucket is named by the host, or by the first part of the path; the likelier one comes first.
    private static func buckets(of page: TransferURL) -> [Bucket] {
        let path = page.pathText
        let root = String(Substring(page.text.utf8.dropLast(path.utf8.count)))
        let names = path.utf8.split(separator: UInt8(ascii: "/")).map { Substring($0) }
        func prefix(_ names: ArraySlice<Substring>) -> [UInt8] {
            names.flatMap { PercentCoding.bytes($0) + [UInt8(ascii: "/")] }
        }
        guard let top = try? TransferURL(root + "/") else { return [] }
        let byHost = Bucket(url: top, prefix: prefix(names[...]))
        guard let name = names.first, let base = try? TransferURL("\(root)/\(name)/") else { return [byHost] }
        let byPath = Bucket(url: base, prefix: prefix(names.dropFirst()))
        let host = page.host
        let isByPath =
            host.hasPrefix("s3.") || host.hasPrefix("s3-") || !host.contains(".")
            || host.utf8.allSatisfy { "0123456789.:[]".utf8.contains($0) }
        return isByPath ? [byPath, byHost] : [byHost, byPath]
    }

    private mutating func askBucket(_ index: Int) -> ListingStep {
        guard buckets.indices.contains(index) else {
            return .failed(first ?? .badResponse("no list of the bucket's files"))
        }
        stage = .bucket(index)
        let bucket = buckets[index]
        var query = "?list-type=2&delimiter=%2F&encoding-type=url&prefix="
        query += PercentCoding.encoded(String(system: bucket.prefix))
        if let token {
            query += (token.isMarker ? "&marker=" : "&continuation-token=") + PercentCoding.encoded(token.text)
        }
        guard let url = try? TransferURL(bucket.url.text + query) else {
            return .failed(.badResponse("the list of the bucket's files has an address that is too long"))
        }
        var request = ListingRequest(url, page: page, form: .s3)
        (request.prefix, request.token) = (bucket.prefix, token?.text)
        return .request(request)
    }

    private mutating func bucketAnswered(_ index: Int, _ answer: ListingAnswer) -> ListingStep {
        switch answer.content {
        case .complete: return .done
        case .continued(let next, let isMarker):
            pages += 1
            guard pages < Self.mostPages else {
                return .failed(.badResponse("a listing without an end: more than \(Self.mostPages) pages"))
            }
            token = (next, isMarker)
            return askBucket(index)
        case .none, .noListing, .bucket: break
        }
        let failure = answer.failure ?? .badResponse("no list of the bucket's files")
        // In the middle of a list, and when the connection has failed, the address was the right one.
        guard pages == 0, answer.code == .ok, !Self.isOfMoment(answer) else { return .failed(failure) }
        if first == nil { first = failure }
        return askBucket(index + 1)
    }
}

/// The listing of a folder in one server's form, made piece by piece while it is sent.
struct FolderListing: Equatable, Sendable {
    let folder: FolderSite.Folder
    /// Undecoded path of the request.
    let path: String
    /// Entries that it holds.
    let entries: Range<Int>
    let isCut: Bool

    /// - Parameters:
    ///   - firstKey: where the page of a bucket begins; `nil`: all entries.
    ///   - isEncoded: the keys of a bucket have percent codes.
    init(_ folder: FolderSite.Folder, path: String, prefix: [UInt8], firstKey: Int?, isEncoded: Bool) {
        (self.folder, self.path, self.prefix, self.isEncoded) = (folder, path, prefix, isEncoded)
        let first = min(firstKey ?? 0, folder.count)
        let page = firstKey == nil ? folder.count : min(folder.count, first + folder.site.keys)
        let cut = folder.site.cut.map { first + $0 } ?? page
        entries = first..<min(page, cut)
        isCut = folder.site.cut != nil
    }

    /// Of a bucket's keys.
    private let prefix: [UInt8]
    private let isEncoded: Bool

    var contentType: String {
        switch folder.site.form {
        case .json: "application/json"
        case .dav, .s3: "application/xml; charset=utf-8"
        default: "text/html"
        }
    }

    /// Where the piece ends that begins with this entry. A slow listing comes in small pieces.
    func pieceEnd(from first: Int) -> Int { min(first + (folder.site.pause == nil ? 256 : 16), entries.upperBound) }

    /// A piece, with the page's beginning or end if it has them. A listing that is cut ends within an entry.
    func bytes(_ piece: Range<Int>) -> [UInt8] {
        var page = PageText(bytes: [])
        if piece.lowerBound == entries.lowerBound { begin(&page) }
        for index in piece { add(folder.entry(index), isFirst: index == entries.lowerBound, to: &page) }
        if piece.upperBound < entries.upperBound { return page.bytes }
        if isCut { return Array(page.bytes.dropLast(10)) }
        end(&page)
        return page.bytes
    }

    private func begin(_ page: inout PageText) {
        let name = Percent.decoded(path)
        switch folder.site.form {
        case .nginx:
            page.add("<html>\n<head><title>Index of ")
            page.addEscaped(name)
            page.add("</title></head>\n<body>\n<h1>Index of ")
            page.addEscaped(name)
            page.add("</h1><hr><pre><a href=\"../\">../</a>\n")
        case .python:
            page.add("<!DOCTYPE HTML>\n<html lang=\"en\">\n<head>\n<title>Directory listing for ")
            page.addEscaped(name)
            page.add("</title>\n</head>\n<body>\n<h1>Directory listing for ")
            page.addEscaped(name)
            page.add("</h1>\n<hr>\n<ul>\n")
        case .json: page.add("[\n")
        case .dav:
            page.add("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<D:multistatus xmlns:D=\"DAV:\">\n")
            addResource(path, nil, to: &page)
        case .s3:
            page.add("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
            page.add("<ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"><Name>tree</Name><Prefix>")
            addKey(prefix, to: &page)
            page.add("</Prefix><KeyCount>\(entries.count)</KeyCount><MaxKeys>\(folder.site.keys)</MaxKeys>")
            let isTruncated = entries.upperBound < folder.count
            page.add("<Delimiter>/</Delimiter><IsTruncated>\(isTruncated)</IsTruncated>")
            if isTruncated {
                page.add("<NextContinuationToken>\(entries.upperBound)</NextContinuationToken>")
            }
        }
    }

    private func add(_ entry: FolderSite.Entry, isFirst: Bool, to page: inout PageText) {
        let (size, time) = (folder.site.size, folder.time(of: entry))
        let link = entry.link ?? Percent.encoded(entry.name) + (entry.isFolder ? "/" : "")
        let name = entry.isFolder ? entry.name + [UInt8(ascii: "/")] : entry.name
        switch folder.site.form {
        case .nginx:
            page.addLink(link, name)
            page.add("     \(DateField.text(time, as: "%d-%b-%Y %H:%M"))     \(entry.isFolder ? "-" : String(size))\n")
        case .python:
            page.add("<li>")
            page.addLink(link, name)
            page.add("</li>\n")
        case .json:
            page.add(isFirst ? "{ \"name\":\"" : ",\n{ \"name\":\"")
            page.addQuoted(entry.name)
            page.add("\", \"type\":\"\(entry.isFolder ? "directory" : "file")\", \"mtime\":\"\(DateField.text(time))\"")
            page.add(entry.isFolder ? " }" : ", \"size\":\(size) }")
        // From the server's root; a link that leads elsewhere stays as it is.
        case .dav: addResource(entry.link ?? path + link, entry, to: &page)
        case .s3:
            page.add(entry.isFolder ? "<CommonPrefixes><Prefix>" : "<Contents><Key>")
            addKey(prefix + name, to: &page)
            guard !entry.isFolder else {
                page.add("</Prefix></CommonPrefixes>")
                return
            }
            page.add("</Key><LastModified>\(DateField.text(time, as: "%Y-%m-%dT%H:%M:%S.000Z"))</LastModified>")
            addTag(entry, "ETag", to: &page)
            page.add("<Size>\(size)</Size><StorageClass>STANDARD</StorageClass></Contents>")
        }
    }

    private func addKey(_ key: [UInt8], to page: inout PageText) {
        if isEncoded { page.add(Percent.encoded(key)) } else { page.addEscaped(key) }
    }

    /// - Parameter entry: `nil` for the folder itself.
    private func addResource(_ link: String, _ entry: FolderSite.Entry?, to page: inout PageText) {
        page.add("<D:response><D:href>")
        page.addEscaped(Array(link.utf8))
        page.add("</D:href><D:propstat><D:prop>")
        if let entry, !entry.isFolder {
            page.add("<D:resourcetype/><D:getcontentlength>\(folder.site.size)</D:getcontentlength>")
            page.add("<D:getlastmodified>\(DateField.text(folder.time(of: entry)))</D:getlastmodified>")
            addTag(entry, "D:getetag", to: &page)
        } else {
            page.add("<D:resourcetype><D:collection/></D:resourcetype>")
        }
        page.add("</D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>\n")
    }

    private func addTag(_ entry: FolderSite.Entry, _ element: String, to page: inout PageText) {
        guard folder.site.hasTags else { return }
        let suffix = folder.version(of: entry) == 0 ? "" : "-v1"
        page.add("<\(element)>&quot;\(folder.tag(of: entry))\(suffix)&quot;</\(element)>")
    }

    private func end(_ page: inout PageText) {
        switch folder.site.form {
        case .nginx: page.add("</pre><hr></body>\n</html>\n")
        case .python: page.add("</ul>\n<hr>\n</body>\n</html>\n")
        case .json: page.add("\n]")
        case .dav: page.add("</D:multistatus>\n")
        // As S3 does, it tells this behind the keys.
        case .s3: page.add("\(isEncoded ? "<EncodingType>url</EncodingType>" : "")</ListBucketResult>")
        }
    }
}

/// The text of a page; names in it are bytes.
struct PageText: Equatable, Sendable {
    var bytes: [UInt8]

    mutating func add(_ text: String) { bytes += text.utf8 }

    mutating func addLink(_ link: String, _ name: [UInt8]) {
        add("<a href=\"")
        addEscaped(Array(link.utf8))
        add("\">")
        addEscaped(name)
        add("</a>")
    }

    /// For HTML and XML.
    mutating func addEscaped(_ text: some Sequence<UInt8>) {
        for byte in text {
            switch byte {
            case UInt8(ascii: "&"): add("&amp;")
            case UInt8(ascii: "<"): add("&lt;")
            case UInt8(ascii: ">"): add("&gt;")
            case UInt8(ascii: "\""): add("&quot;")
            default: bytes.append(byte)
            }
        }
    }

    /// For JSON, as nginx does: bytes that are no UTF-8 stay as they are.
    mutating func addQuoted(_ text: [UInt8]) {
        for byte in text {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case 0..<32: add((byte < 16 ? "\\u000" : "\\u00") + String(byte, radix: 16))
            default: bytes.append(byte)
            }
        }
    }
}

extension ResponsePlan {
    /// The answer to a request for a path of a tree.
    ///
    /// - Parameter version: of the folder, or of the one that the file is in.
    static func tree(
        _ place: FolderSite.Place, _ request: ReceivedRequest, _ options: FaultOptions, _ visit: Visit, version: Int
    ) -> ResponsePlan {
        switch place {
        case .nothing: return failure(404, request, options)
        case .unclosed:
            var head = ResponseFields(status: 301, for: request)
            head.add("Location", RequestTarget(request.target).path + "/")
            return short(head, body: [], for: request)
        case .file(_, let entry):
            var options = options
            options.fixedVersion = entry.isChanging ? version : 0
            return file(request, options, visit)
        case .folder(var folder):
            folder.version = version
            return listing(folder, request, options, visit)
        }
    }

    private static func listing(
        _ folder: FolderSite.Folder, _ request: ReceivedRequest, _ options: FaultOptions, _ visit: Visit
    ) -> ResponsePlan {
        let site = folder.site
        let target = RequestTarget(request.target)
        let firstKey = TreeTarget(target)?.firstKey
        let isDav = site.form == .dav
        if isDav != (request.method == "PROPFIND") || !(isDav || request.method == "GET" || request.isHead) {
            var head = ResponseFields(status: 405, for: request)
            if isDav { head.add("DAV", "1") }
            return short(head, body: [], for: request)
        }
        if isDav, request.header("Depth") != "1" { return text(403, "only Depth: 1", for: request) }
        if site.form == .s3, firstKey == nil {
            var head = ResponseFields(status: 404, for: request)
            head.add("Content-Type", "application/xml")
            return short(head, body: Array("<Error><Code>NoSuchKey</Code></Error>".utf8), for: request)
        }
        let answer = options.answers.inTurn(visit.number) ?? .status(200)
        if let refusal = refusal(answer, request, options) { return refusal }
        if site.page == .login {
            let text = "<!DOCTYPE html><html><title>Log in</title><body>Please log in to go on.</body></html>"
            return self.text(200, text, for: request, type: "html").delayed(by: options.latency)
        }
        let prefix = target.options.last { $0.name == "prefix" }?.bytes ?? []
        let isEncoded = target.options.contains { $0.name == "encoding-type" && $0.text == "url" }
        let listing = FolderListing(
            folder, path: target.path, prefix: prefix, firstKey: firstKey, isEncoded: isEncoded)
        var head = ResponseFields(status: isDav ? 207 : 200, for: request)
        head.add("Content-Type", listing.contentType)
        if isDav { head.add("DAV", "1") }
        options.extraHeaders.forEach { head.add(line: $0) }
        head.add("Transfer-Encoding", "chunked")
        var plan = ResponsePlan(
            status: head.status, steps: [.raw(head.bytes)], ending: request.isKeepAlive ? .keepAlive : .close,
            rate: options.pace.rate)
        if request.isHead { return plan.delayed(by: options.latency(of: request)) }
        plan.steps.append(.entries(listing, from: listing.entries.lowerBound))
        if listing.isCut {
            plan.ending = options.resets ? .reset : .close
        } else {
            plan.steps.append(.raw(Array("0\r\n\r\n".utf8)))
        }
        return plan.delayed(by: options.latency)
    }
}

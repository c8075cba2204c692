import FaultServer
import Glibc
import TestSupport
import Testing

@testable import WinchModel
@testable import WinchTransport

@Suite(.timeLimit(.minutes(5))) struct `A folder that is listed` {
    /// The start of a tree.
    private static func order(_ url: String, level: Int = 0) throws -> FolderOrder {
        var order = FolderOrder(rules: Shared(FolderRules(tree: 1, start: try TransferURL(url))))
        order.level = level
        return order
    }

    private static func start(_ url: String, on rig: Rig) throws {
        try rig.start(url, below: "/pub", listing: order(url), namedParts: 1)
    }

    /// Lists it to its end.
    private static func list(_ url: String, on rig: Rig) async throws -> [TransportEvent] {
        try start(url, on: rig)
        return await rig.settled()
    }

    /// As nginx makes it.
    private static func index(_ path: String, _ names: [String]) -> String {
        let links = names.map { "<a href=\"\($0)\">\($0)</a>   05-Jan-2024 12:34   5\n" }.joined()
        return """
            <html><head><title>Index of \(path)</title></head><body><h1>Index of \(path)</h1><hr>
            <pre><a href="../">../</a>\n\(links)</pre><hr></body></html>
            """
    }

    @Test func `names its files and folders by a page`() async throws {
        let server = try ScriptedWebServer([
            "GET /pub/": ScriptedWebServer.page(
                Self.index("/pub/", ["a.txt", "sub/"]), fields: "Content-Type: text/html\r\n")
        ])
        let rig = try Rig()
        let events = try await Self.list(server.origin + "/pub/", on: rig)
        expectEqual(events.entries, [server.origin + "/pub/a.txt", server.origin + "/pub/sub/"])
        let folder = try #require(events.specs.last)
        expectEqual(folder.folder, rig.folder.path + "/pub/sub")
        expectEqual(folder.namedParts, 2)
        expectEqual(folder.folderOrder?.form, .html)
        expectEqual(folder.folderOrder?.ancestors, events.fingerprints)
        expectEqual(events.specs.first?.listedVersion?.size, ListedSize(bytes: 5))
        expectEqual(server.requests, ["GET /pub/"])
        expectEqual(rig.folder.names, [])
    }

    @Test func `is a loop when its tree has too many copies of a folder above it`() async throws {
        let page = ScriptedWebServer.page(
            Self.index("/pub/", ["a.txt", "sub/"]), fields: "Content-Type: text/html\r\n")
        let server = try ScriptedWebServer(["GET /pub/": page])
        let rig = try Rig()
        let url = server.origin + "/pub/"
        let own = try #require(try await Self.list(url, on: rig).fingerprints.first)
        var order = try Self.order(server.origin + "/", level: 1)
        order.ancestors = [own]
        var found: [Int] = []
        for id in 2...18 {
            try rig.start(url, id: id, below: "/pub", listing: order, namedParts: 1)
            found.append(await rig.settled(id).specs.count)
        }
        expectEqual(found, Array(repeating: 2, count: 16) + [0])
    }

    @Test func `reports its first files while its page goes on`() async throws {
        let names = (0..<40).map { "f\($0)" }
        let page = ScriptedWebServer.page(Self.index("/pub/", names), length: 1 << 20)
        let server = try ScriptedWebServer(["GET /pub/": page], heldOpen: "GET /pub/")
        let rig = try Rig()
        try Self.start(server.origin + "/pub/", on: rig)
        let events = await rig.events { if case .found = $0 { true } else { $0.endsAttempt } }
        guard case .found(let specs)? = events.last else {
            Issue.record("\(events)")
            return
        }
        #expect(specs.count >= 16)
        rig.transport.close(ConnectionID(transfer: TransferID(1), number: 0), discarding: false)
        guard case .stopped(nil)? = await rig.settled().last else {
            Issue.record("not stopped")
            return
        }
    }

    @Test func `is stopped in the middle of a page that comes faster than it is read`() async throws {
        try await FaultServer.serving { server in
            let rig = try Rig()
            try Self.start(server.treeURL("endless"), on: rig)
            _ = await rig.events { if case .found = $0 { true } else { $0.endsAttempt } }
            rig.transport.close(ConnectionID(transfer: TransferID(1), number: 0), discarding: false)
            let end = await rig.settled().last
            guard case .stopped(nil)? = end else {
                Issue.record("\(String(describing: end))")
                return
            }
        }
    }

    @Test func `is made when the server's is empty`() async throws {
        let server = try ScriptedWebServer(["GET /pub/": ScriptedWebServer.page("[]")])
        let rig = try Rig()
        let events = try await Self.list(server.origin + "/pub/", on: rig)
        expectEqual(events.entries, [])
        expectEqual(rig.folder.names, ["pub"])
    }

    @Test func `is not made when it is only counted`() async throws {
        let server = try FolderFTPServer(["MLSD": "550 No files found"])
        let rig = try Rig()
        var order = try Self.order(server.url)
        order.isCounting = true
        try rig.start(server.url, below: "/pub", listing: order, namedParts: 1)
        await expectEqual(rig.settled().entries, [])
        expectEqual(rig.folder.names, [])
    }

    @Test(arguments: [true, false])
    func `names what has come before its page was cut, and can be listed again`(hasLength: Bool) async throws {
        let page = Self.index("/pub/", ["a", "b"])
        let answer =
            hasLength
            ? ScriptedWebServer.page(page, length: 1 << 20)
            : "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + String(page.dropLast("</html>".count))
        let server = try ScriptedWebServer(["GET /pub/": answer])
        let events = try await Self.list(server.origin + "/pub/", on: Rig())
        expectEqual(events.entries, [server.origin + "/pub/a", server.origin + "/pub/b"])
        switch events.failure {
        case .cutShort?, .connectionLost?: break
        case let other: Issue.record("\(String(describing: other))")
        }
        expectEqual(server.requests, ["GET /pub/"])
    }

    @Test func `may have moved to another folder of its server`() async throws {
        let server = try ScriptedWebServer([
            "GET /pub/": ScriptedWebServer.page("", status: "301 Moved", fields: "Location: /new/\r\n"),
            "GET /new/": ScriptedWebServer.page(Self.index("/new/", ["a", "sub/"])),
        ])
        let events = try await Self.list(server.origin + "/pub/", on: Rig())
        expectEqual(events.entries, [server.origin + "/new/a", server.origin + "/new/sub/"])
        expectEqual(events.specs.last?.folderOrder?.rules.value.start.text, server.origin + "/new/")
    }

    @Test func `asks nothing of another server`() async throws {
        let other = try ScriptedWebServer([:])
        let server = try ScriptedWebServer([
            "GET /pub/": ScriptedWebServer.page(
                "", status: "302 Found", fields: "Location: \(other.origin)/pub/\r\n")
        ])
        let events = try await Self.list(server.origin + "/pub/", on: Rig())
        expectEqual(events.failure, .redirectRefused(other.origin + "/pub/; give that address"))
        expectEqual(other.requests, [])
    }

    @Test func `is listed by WebDAV where the server makes no page`() async throws {
        let properties = """
            <?xml version="1.0"?><D:multistatus xmlns:D="DAV:">
            <D:response><D:href>/pub/</D:href><D:propstat><D:prop><D:resourcetype><D:collection/></D:resourcetype>
            </D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>
            <D:response><D:href>/pub/a</D:href><D:propstat><D:prop><D:resourcetype/>
            <D:getcontentlength>3</D:getcontentlength></D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat>
            </D:response></D:multistatus>
            """
        let server = try ScriptedWebServer([
            "GET /pub/": ScriptedWebServer.page("no", status: "403 Forbidden"),
            "PROPFIND /pub/": ScriptedWebServer.page(properties, status: "207 Multi-Status"),
        ])
        try await expectEqual(Self.list(server.origin + "/pub/", on: Rig()).entries, [server.origin + "/pub/a"])
        expectEqual(server.requests, ["GET /pub/", "PROPFIND /pub/"])
    }

    @Test func `is the bucket whose keys a server lists`() async throws {
        func keys(_ key: String, _ end: String) -> String {
            """
            <?xml version="1.0"?>\n<ListBucketResult>\(end)<Contents><Key>\(key)</Key><Size>1</Size></Contents>\
            </ListBucketResult>
            """
        }
        let query = "/?list-type=2&delimiter=%2F&encoding-type=url&prefix="
        let next = "<IsTruncated>true</IsTruncated><NextContinuationToken>t</NextContinuationToken>"
        let server = try ScriptedWebServer([
            "GET /": ScriptedWebServer.page(keys("sub/deep", "")),
            "GET \(query)": ScriptedWebServer.page(keys("a", next)),
            "GET \(query)&continuation-token=t": ScriptedWebServer.page(keys("b", "")),
        ])
        try await expectEqual(
            Self.list(server.origin + "/", on: Rig()).entries, [server.origin + "/a", server.origin + "/b"])
    }

    @Test func `is a bucket with control characters in its keys`() async throws {
        try await FaultServer.serving { server in
            let entries = try await Self.list(server.treeURL("form=s3", "hostile", "files=1"), on: Rig()).entries
            expect(entries.contains { $0.hasSuffix("/%1B%5B2J") } && entries.contains { $0.hasSuffix("/file-0.bin") })
        }
    }

    @Test func `is no list when its page is another`() async throws {
        let server = try ScriptedWebServer(["GET /pub/": ScriptedWebServer.page("<html><body>hello</body></html>")])
        try await expectEqual(
            Self.list(server.origin + "/pub/", on: Rig()).failure,
            .badResponse("this page is no list of a folder's files"))
    }

    @Test(
        arguments: [
            (["MLSD": "type=file;size=3;modify=20240105123456; a\r\ntype=dir; sub\r\n"], ["a", "sub/"]),
            (["LIST": "-rw-r--r-- 1 u g 3 Jan 05 2024 a\r\n"], ["a"]), (["MLSD": ""], []),
            (["LIST": "450 No files found"], []),
        ] as [([String: String], [String])])
    func `names its files by FTP`(replies: [String: String], names: [String]) async throws {
        let server = try FolderFTPServer(replies)
        try await expectEqual(Self.list(server.url, on: Rig()).entries, names.map { server.url + $0 })
    }

    /// Asked for as a file.
    @Test(arguments: [(true, 2), (false, 2), (true, 10_000)])
    func `is counted by FTP when it was taken for a file`(hasSlash: Bool, files: Int) async throws {
        let lines = (0..<files).map { "type=file; \($0)\r\n" }.joined()
        let server = try FolderFTPServer(["MLSD": "\(lines)type=dir; sub\r\n"])
        let rig = try Rig()
        let events = try await rig.fetch(hasSlash ? server.url : String(server.url.dropLast()))
        let isMore = files == 10_000
        expectEqual(
            events.failure, .remoteFolder(path: "/pub/", files: files, folders: isMore ? 0 : 1, isMore: isMore))
        expectEqual(events.count { if case .requested = $0 { true } else { false } }, 1)
        expectEqual(rig.folder.names, [])
    }

    @Test func `is counted by its page when it was taken for a file, unless the user names the file`() async throws {
        let page = Self.index("/pub/", ["a", "b", "sub/"])
        let html = "Content-Type: text/html\r\n"
        let server = try ScriptedWebServer([
            "GET /pub": ScriptedWebServer.page("", status: "301 Moved", fields: "Location: /pub/\r\n"),
            "GET /pub/": ScriptedWebServer.page(page, fields: html),
        ])
        let rig = try Rig()
        for (id, path) in ["/pub/", "/pub"].enumerated() {
            let events = try await rig.fetch(server.origin + path, id: id + 1)
            expectEqual(events.failure, .remoteFolder(path: path, files: 2, folders: 1, isMore: false))
        }
        expectEqual(rig.folder.names, [])
        try await expectEqual(rig.fetch(server.origin + "/pub/", id: 3, name: "page").saved, "page")
        try expectEqual(rig.folder.bytes("page"), Array(page.utf8))
    }

    /// It ends before it is known to be no list, or goes on for long.
    @Test(arguments: [10, 300_000]) func `is saved as a page that is no list`(size: Int) async throws {
        let page = "<html>" + String(repeating: "hello ", count: size / 6) + "</html>"
        let server = try ScriptedWebServer([
            "GET /": ScriptedWebServer.page(page, fields: "Content-Type: text/html\r\n")
        ])
        let rig = try Rig()
        try await expectEqual(rig.fetch(server.origin + "/").saved, "index.html")
        try expectEqual(rig.folder.bytes("index.html"), Array(page.utf8))
    }

    @Test(arguments: [true, false]) func `gives its files the times of the server`(keepsTimes: Bool) async throws {
        let date = "Last-Modified: Fri, 05 Jan 2024 12:34:56 GMT\r\n"
        let server = try ScriptedWebServer(["GET /a": ScriptedWebServer.page("abc", fields: date)])
        let rig = try Rig()
        // Without a zone the listing's time gives way to that of the file itself, unless no zone makes them the same.
        let times: [(id: Int, listed: Int64, isZoned: Bool, time: Int)] = [
            (1, 1_000_000_000, true, 1_000_000_000), (2, 1_704_465_296, false, 1_704_458_096),
            (3, 2_000_000_000, false, 2_000_000_000),
        ]
        for (id, listed, isZoned, time) in times {
            var version = ListedVersion()
            version.time = ListedTime(seconds: listed, precision: .second, isZoned: isZoned)
            try rig.start(
                server.origin + "/a", id: id, below: "/pub\(id)", namedParts: 1, version: version,
                settings: { $0.keepsTimes = keepsTimes })
            await expectEqual(rig.settled(id).saved, "a")
            var status = stat()
            expectEqual(stat(rig.folder.path + "/pub\(id)/a", &status), 0)
            expectEqual(status.st_mtim.tv_sec == time, keepsTimes)
            // By it a later run sees that the user has not changed the file.
            guard keepsTimes else { continue }
            expectEqual(rig.folder.attribute("user.winch.modified", of: "pub\(id)/a"), "\(time)000000000")
        }
    }
}

extension [TransportEvent] {
    /// What the listing has named.
    fileprivate var specs: [TransferSpec] {
        flatMap { event -> [TransferSpec] in
            switch event {
            case .found(let specs), .listed(let specs, _, _, _): specs
            default: []
            }
        }
    }

    fileprivate var fingerprints: [UInt64] {
        compactMap { event -> UInt64? in
            if case .listed(_, _, _, let fingerprint) = event { fingerprint } else { nil }
        }
    }

    fileprivate var entries: [String] { specs.compactMap { $0.urls.first?.text } }
}

import TestSupport
import Testing

@testable import FaultServer

/// The answers to requests one after another, and the listings in them.
private struct Client {
    private let records = ServerRecords()

    func ask(_ target: String, method: String = "GET", _ headers: (String, String)...) -> ResponsePlan {
        let request = ReceivedRequest(
            method: method, target: target, headers: headers.map { .init(name: $0.0, value: $0.1) }, isKeepAlive: true)
        return records.admit(request).plan
    }

    /// The text of a listing that ends.
    func list(_ target: String) -> String {
        let plan = target.contains("form=dav") ? ask(target, method: "PROPFIND", ("Depth", "1")) : ask(target)
        return plan.steps.map { step in
            guard case .entries(let listing, from: let first) = step else { return "" }
            return String(decoding: listing.bytes(first..<listing.entries.upperBound), as: UTF8.self)
        }.joined()
    }
}

@Suite struct `A generated tree` {
    @Test(arguments: FolderSite.Form.allCases)
    func `lists its folders in the form of a server`(form: FolderSite.Form) async throws {
        try await FaultServer.serving { server in
            let options = "form=\(form.rawValue),files=300,folders=2,slow=0"
            let url =
                form == .s3
                ? server.origin + "/tree?list-type=2&delimiter=/&prefix=\(options)/pub/" : server.treeURL(options)
            let method = form == .dav ? "PROPFIND" : "GET"
            let page = try await Curl.run("-X", method, "-H", "Depth: 1", url).output
            for name in ["file-0.bin", "file-15.bin", "file-16.bin", "file-299.bin", "dir-0", "dir-1"] {
                expect(page.contains(name), "\(name)")
            }
            expect(!page.contains("file-300.bin") && !page.contains("dir-2"))
            expectEqual(server.listings.map(\.key), ["/tree/\(options)/pub/"])
        }
    }

    @Test func `serves the files that it lists`() async throws {
        try await FaultServer.serving { server in
            let options = "form=dav,files=2,folders=2,depth=2,size=3000"
            let files = try server.treeFiles(options)
            expectEqual(files.count, 7 * 2)
            expectEqual(Set(files.map(\.path)).count, files.count)
            let file = try require(files.first { $0.path == "dir-1/dir-0/file-1.bin" })
            let client = try RawClient(server)
            client.request(server.treeURL(options, path: "pub/" + file.path))
            let answer = try require(client.readResponse())
            expectEqual(answer.body, file.content.bytes(in: 0..<3000))
            expectEqual(answer["Last-Modified"], DateField.text(file.time))
            let page = Client().list("/tree/\(options)/dir-1/dir-0/")
            let tag = try require(answer["ETag"])
            expect(page.contains(tag.split(separator: "\"").joined()))
            expect(page.contains("<D:getlastmodified>\(DateField.text(file.time))<"))
            expect(page.contains("<D:getcontentlength>3000<"))
        }
    }

    @Test(
        arguments: [
            ("entries=1000000/pub/file-999999.bin", 200), ("entries=1000000/pub/file-1000000.bin", 404),
            ("files=3/file-03.bin", 404), ("files=3/dir-0/file-2.bin", 200), ("files=3/dir-0", 301),
            ("files=3/pub", 301), ("files=3", 301), ("files=3/dir-2/", 404), ("depth=0/dir-0/", 404),
            ("form=s3/pub/", 404), ("form=dav/", 405), ("hostile/a%20b", 200),
            ("hostile/%252e%252e", 200), ("hostile/..%2fescape", 404),
            ("other=81/moved.bin", 302), ("loop=grow/deeper-1/deeper-2/file-0.bin", 200), ("loop=grow/deeper-2/", 404),
            ("loop=parent/dir-0/again/again/file-0.bin", 200), ("file=3/", 400), ("redirect=1/", 400),
            ("only=files,status=503/", 200), ("only=files,status=503/file-0.bin", 503),
            ("only=dir-1,status=503/dir-1/", 503), ("only=dir-1,status=503/dir-0/", 200),
        ] as [(String, Int)])
    func `answers each path`(path: String, status: Int) {
        expectEqual(Client().ask("/tree/" + path).status, status)
    }

    @Test func `changes files with the second listing of their folder`() {
        let client = Client()
        func tags() -> [Bool] {
            (0..<3).map { number in
                let plan = client.ask("/tree/form=dav,changed=2/file-\(number).bin")
                return ResponsePlan.rawText(plan).contains("-v1\"")
            }
        }
        let first = client.list("/tree/form=dav,changed=2/")
        expectEqual(tags(), [false, false, false])
        let second = client.list("/tree/form=dav,changed=2/")
        expectEqual(tags(), [true, true, false])
        expectEqual([first, second].map { $0.ranges(of: "-v1&quot;").count }, [0, 2])
    }

    @Test func `lists a bucket page by page`() throws {
        let target = "/tree?list-type=2&prefix=form=s3,keys=5,files=6,folders=1/&delimiter=/"
        let client = Client()
        let first = client.list(target)
        expect(first.contains("<NextContinuationToken>5</NextContinuationToken>"))
        let second = client.list(target + "&continuation-token=5")
        expect(second.contains("<IsTruncated>false</IsTruncated>"))
        expectEqual([first, second].map { $0.ranges(of: "<Key>").count }, [4, 2])
    }

    @Test(arguments: FaultOptions.examples(FaultOptions.treeHelp))
    func `has the options of the help`(example: String) throws {
        let plain = try require(FaultOptions(RequestTarget("/tree//"))?.place)
        try expect(FaultOptions(RequestTarget("/tree/\(example)/"))?.place != plain, "the option changes something")
    }
}

@Suite struct `A fault of a listing` {
    @Test func `can be an end within an entry`() {
        let plan = Client().ask("/tree/form=nginx,cut=4,folders=2/")
        expectEqual(plan.ending, .close)
        let page = Client().list("/tree/form=nginx,cut=4,folders=2/")
        expect(page.contains("file-0.bin") && page.contains("file-1.bin"))
        expect(!page.contains("file-2.bin") && !page.hasSuffix("\n"))
    }

    @Test func `can be that it does not end`() throws {
        let steps = Client().ask("/tree/endless,folders=2/").steps
        guard case .entries(let listing, from: _) = try require(steps.dropFirst().first) else {
            Issue.record("there is no listing")
            return
        }
        expectEqual(listing.pieceEnd(from: 1_000_000_000), 1_000_000_256)
        let piece = listing.bytes(1_000_000_000..<1_000_000_001)
        expect(String(decoding: piece, as: UTF8.self).contains("file-999999998.bin"))
        expectEqual(Client().ask("/tree/endless/file-999999998.bin").status, 200)
    }

    @Test func `can be a refusal that passes`() {
        let client = Client()
        let plans = (0..<2).map { _ in client.ask("/tree/status=503+200,retryafter=7/") }
        expectEqual(plans.map(\.status), [503, 200])
        expect(ResponsePlan.rawText(plans[0]).contains("Retry-After: 7\r\n"))
    }

    @Test func `can be a page that asks for a login`() {
        expectEqual(Client().ask("/tree/page=login/").status, 200)
        expectEqual(Client().list("/tree/page=login/"), "")
    }
}

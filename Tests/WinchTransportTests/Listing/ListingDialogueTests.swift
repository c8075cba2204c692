import TestSupport
import Testing

@testable import WinchHTTP
@testable import WinchModel
@testable import WinchTransport

@Suite struct `The listing of an FTP folder` {
    private static let folder = "ftp://h/pub/"

    @Test(arguments: [500, 501, 502, 504]) func `is asked for by LIST where MLSD is not known`(reply: Int) throws {
        var listing = FTPListing(try TransferURL(Self.folder), form: nil)
        expectEqual(listing.next(after: nil).words, "MLSD /pub/ mlsd")
        var refusal = ListingAnswer()
        (refusal.code, refusal.failure, refusal.reply) = (.retrieveRefused, .other("no"), reply)
        expectEqual(listing.next(after: refusal).words, "GET /pub/ list")
        expectEqual(listing.next(after: refusal).words, "failed other(\"no\")")
    }

    @Test func `is asked for by LIST at once below a folder that was`() throws {
        var listing = FTPListing(try TransferURL(Self.folder), form: .list)
        expectEqual(listing.next(after: nil).words, "GET /pub/ list")
        expectEqual(listing.next(after: ListingAnswer()).words, "done")
    }

    @Test func `is empty where the server finds no files`() throws {
        var listing = FTPListing(try TransferURL(Self.folder), form: .list)
        _ = listing.next(after: nil)
        var refusal = ListingAnswer()
        (refusal.code, refusal.failure, refusal.reply) = (.retrieveRefused, .other("no"), 550)
        refusal.refusal = "550 No files found."
        expectEqual(listing.next(after: refusal).words, "done")
    }
}

@Suite struct `The listing of a web folder` {
    private static let folder = "https://h/pub/"
    private static let noList = TransferFailure.badResponse("no list")

    private static func listing(
        level: Int = 0, form: ListingForm? = nil, _ folder: String = Self.folder
    ) throws -> WebListing {
        let url = try TransferURL(folder)
        var order = FolderOrder(rules: Shared(FolderRules(tree: 1, start: url)))
        (order.level, order.form) = (level, form)
        return WebListing(url, order, mostRedirects: 3)
    }

    private static func answer(
        _ content: ListingAnswer.Content, _ failure: TransferFailure? = nil, status: Int = 200, location: String? = nil,
        body: String = ""
    ) -> ListingAnswer {
        let head = ResponseHead(lines: ["HTTP/1.1 \(status) x"] + (location.map { ["Location: \($0)"] } ?? []))
        return ListingAnswer(failure: failure, content: content, head: head, body: Array(body.utf8))
    }

    /// The requests, and how they end.
    private static func steps(_ listing: WebListing, _ answers: [ListingAnswer]) -> [String] {
        var listing = listing
        return [listing.next(after: nil).words] + answers.map { listing.next(after: $0).words }
    }

    @Test func `is its page`() throws {
        try expectEqual(
            Self.steps(Self.listing(), [Self.answer(.complete)]), ["GET /pub/", "done"])
    }

    @Test(arguments: [403, 404, 405, 501])
    func `is asked for by PROPFIND where there is no page`(status: Int) throws {
        let refusal = Self.answer(.none, .httpStatus(status), status: status)
        try expectEqual(
            Self.steps(Self.listing(), [refusal, Self.answer(.complete, status: 207)]),
            ["GET /pub/", "PROPFIND /pub/ dav", "done"])
        try expectEqual(
            Self.steps(Self.listing(), [refusal, Self.answer(.none, .httpStatus(400), status: 400)]),
            ["GET /pub/", "PROPFIND /pub/ dav", "failed httpStatus(\(status))"])
    }

    @Test func `is asked for by PROPFIND where the page is another`() throws {
        try expectEqual(
            Self.steps(
                Self.listing(),
                [Self.answer(.noListing, Self.noList), Self.answer(.none, .connectionLost("x"), status: 0)]),
            ["GET /pub/", "PROPFIND /pub/ dav", "failed connectionLost(\"x\")"])
    }

    @Test(arguments: [429, 500, 503]) func `fails with the status of a server that is busy`(status: Int) throws {
        let busy = Self.answer(.none, .httpStatus(status), status: status)
        try expectEqual(Self.steps(Self.listing(), [busy]), ["GET /pub/", "failed httpStatus(\(status))"])
        let refusal = Self.answer(.none, .httpStatus(404), status: 404)
        try expectEqual(Self.steps(Self.listing(), [refusal, busy]).last, "failed httpStatus(\(status))")
        let noKey = Self.answer(
            .none, .httpStatus(404), status: 404, body: "<Error><Code>NoSuchKey</Code></Error>")
        try expectEqual(Self.steps(Self.listing(), [noKey, busy]).last, "failed httpStatus(\(status))")
    }

    @Test func `fails as PROPFIND does when that is cut short or wants a login`() throws {
        let refusal = Self.answer(.none, .httpStatus(405), status: 405)
        var cut = Self.answer(.none, .connectionLost("x"), status: 207)
        cut.code = .partialFile
        for (answer, words) in [
            (cut, "connectionLost(\"x\")"), (Self.answer(.none, .httpStatus(401), status: 401), "httpStatus(401)"),
        ] {
            try expectEqual(Self.steps(Self.listing(), [refusal, answer]).last, "failed " + words)
        }
    }

    @Test func `is asked for once below a folder whose form is known`() throws {
        try expectEqual(
            Self.steps(Self.listing(level: 1, form: .dav), [Self.answer(.complete, status: 207)]),
            ["PROPFIND /pub/ dav", "done"])
    }

    @Test(
        arguments: [
            (0, "/other/", "GET /other/"), (0, "https://h/pub/", "GET /pub/"), (1, "/pub/new/", "GET /pub/new/"),
            (1, "/other/", "failed redirectRefused(\"/other/\")"), (0, "/pub", "failed redirectRefused(\"/pub\")"),
            (0, "/login/?next=/pub/", "failed redirectRefused(\"/login/?next=/pub/\")"),
            (0, "https://g/pub/", "failed redirectRefused(\"https://g/pub/; give that address\")"),
            (1, "https://g/pub/", "failed redirectRefused(\"https://g/pub/\")"),
        ])
    func `follows a redirect within its tree`(level: Int, location: String, step: String) throws {
        let redirect = Self.answer(.none, .httpStatus(301), status: 301, location: location)
        try expectEqual(Self.steps(Self.listing(level: level), [redirect]), ["GET /pub/", step])
    }

    @Test func `follows so many redirects`() throws {
        let redirect = Self.answer(.none, .httpStatus(301), status: 301, location: "/pub/")
        try expectEqual(
            Self.steps(Self.listing(), Array(repeating: redirect, count: 4)).last, "failed tooManyRedirects(3)")
    }

    @Test func `has as many pages as a bucket needs`() throws {
        let query = "?list-type=2&delimiter=%2F&encoding-type=url&prefix="
        try expectEqual(
            Self.steps(
                Self.listing("https://h/"),
                [
                    Self.answer(.bucket), Self.answer(.continued(token: "a+b", isMarker: false)),
                    Self.answer(.continued(token: "c", isMarker: true)), Self.answer(.complete),
                ]),
            [
                "GET /", "GET /\(query) s3", "GET /\(query)&continuation-token=a%2Bb s3", "GET /\(query)&marker=c s3",
                "done",
            ])
    }

    @Test(arguments: [("https://s3.h/b/d%20e/", true), ("https://b.h/b/d%20e/", false)])
    func `is that of a bucket where the server has no such key`(folder: String, isByPath: Bool) throws {
        let refusal = Self.answer(
            .none, .httpStatus(404), status: 404, body: "<Error><Code>NoSuchKey</Code></Error>")
        let query = "?list-type=2&delimiter=%2F&encoding-type=url&prefix="
        let (byPath, byHost) = ("GET /b/\(query)d%20e%2F s3", "GET /\(query)b%2Fd%20e%2F s3")
        try expectEqual(
            Self.steps(Self.listing(folder), [refusal, refusal, refusal]),
            [
                "GET /b/d%20e/", isByPath ? byPath : byHost, isByPath ? byHost : byPath, "failed httpStatus(404)",
            ])
    }

    @Test(
        arguments: [
            ("[{", .json), (" [", .json), ("<html><head>", .html), ("<!DOCTYPE html><html>", .html), ("plain", .html),
            ("<?xml version=\"1.0\"?>\n<ListBucketResult xmlns=\"x\">", .s3), ("<a:ListBucketResult>", .s3),
            ("<?xml version=\"1.0\"?><!DOCTYPE html><html>", .html), ("<!-- c --><ListBucketResult ", .s3),
            ("\u{FEFF}<html>", .html), ("", nil), ("<", nil), ("<ListBucket", nil), ("<?xml version", nil),
            ("<!-- ", nil),
        ] as [(String, ListingForm?)])
    func `is known by its first bytes`(text: String, form: ListingForm?) {
        expectEqual(WebListing.form(of: Array(text.utf8)), form)
    }

    @Test func `is taken for a page when its first bytes tell nothing`() {
        expectEqual(WebListing.form(of: Array(repeating: UInt8(ascii: " "), count: 5000)), .html)
        expectEqual(WebListing.form(of: Array("<!--".utf8) + Array(repeating: 0x20, count: 5000)), .html)
    }
}

extension ListingStep {
    /// `PROPFIND /pub/ dav`, `done`, or the failure.
    fileprivate var words: String {
        switch self {
        case .request(let request):
            (["\(request.method ?? "GET") \(request.url.pathText)"] + (request.form.map { [$0.rawValue] } ?? []))
                .joined(separator: " ")
        case .done: "done"
        case .failed(let failure): "failed \(failure)"
        }
    }
}

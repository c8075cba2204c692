import CTransport
import TestSupport
import Testing

@testable import WinchHTTP
@testable import WinchModel
@testable import WinchTransport

@Suite struct `The request of a connection` {
    private func request(
        _ url: String = "http://h/f", _ change: (inout TransferSettings) -> Void = { _ in }
    ) throws -> DownloadRequest {
        var settings = TransferSettings()
        change(&settings)
        return DownloadRequest(try ConnectionRequest(url, settings))
    }

    private func part(_ have: Int64, of total: Int64?, _ validator: Validator?) -> ResumePoint {
        ResumePoint(
            partPath: "f.part", targetPath: "f", have: ByteCount(bytes: have),
            total: total.map { ByteCount(bytes: $0) },
            validator: validator)
    }

    @Test(
        arguments: [
            ("http://h/f", true, 900_000, .strongETag("\"v\""), "900000-", "If-Range: \"v\"", 0),
            // Only a strong tag identifies the bytes: with anything else they are compared.
            ("http://h/f", true, 900_000, .lastModified("d"), "895904-", "If-Range: d", 0),
            ("http://h/f", true, 900_000, nil, "895904-", nil, 0),
            ("http://h/f", false, 900_000, .strongETag("\"v\""), "895904-", "If-Range: \"v\"", 0),
            ("ftp://h/f", true, 900_000, nil, nil, nil, 895_904), ("ftp://h/f", true, 100, nil, nil, nil, 0),
        ] as [(String, Bool, Int64, Validator?, String?, String?, Int64)])
    func `is for the rest of a part`(
        url: String, isProven: Bool, have: Int64, validator: Validator?, range: String?, condition: String?,
        skip: Int64
    ) throws {
        var request = try request(url)
        request.askForRest(
            of: part(have, of: 1_000_000, validator), writtenFor: url, isProven: isProven)
        expectEqual(request.range?.offset, have)
        expectEqual(request.easyRequest.range, range)
        expectEqual(request.easyRequest.condition, condition)
        expectEqual(request.easyRequest.resumeFrom, skip)
    }

    @Test(arguments: [("http://h/f", nil), ("ftp://h/f", .strongETag("\"v\""))] as [(String, Validator?)])
    func `is for the whole file when nothing could validate the rest`(url: String, validator: Validator?) throws {
        var request = try request(url)
        request.aim = .whole(startedOver: .lostOnRetry)
        request.askForRest(of: part(500, of: nil, validator), writtenFor: nil, isProven: true)
        expectNil(request.range)
        expectEqual(request.startedOver, .lostOnRetry)
    }

    @Test func `contains no tag of another URL`() throws {
        var request = try request()
        request.askForRest(
            of: part(9000, of: 10_000, .strongETag("\"v\"")), writtenFor: "http://x/f", isProven: true)
        expectNil(request.easyRequest.condition)
        expectEqual(request.easyRequest.range, "4904-")
    }

    @Test func `tries each alternative once in an attempt`() throws {
        var request = try request("https://h/f") { $0.user = "u" }
        for isFirst in [true, false] {
            let allowed = [request.startOver(.fileChanged), request.startComparing(), request.useDigest()]
            expectEqual(allowed, Array(repeating: isFirst, count: 3))
        }
        expectEqual(request.easyRequest.login, .digest)
        var withoutLogin = try self.request("https://h/f")
        let hasDigest = withoutLogin.useDigest()
        expect(!hasDigest)
    }

    @Test(arguments: [
        ("http://h/f", WINCH_AUTH_BASIC | WINCH_AUTH_DIGEST), ("https://h/f", WINCH_AUTH_BASIC),
    ])
    func `sends a password unasked over TLS only`(url: String, methods: Int) throws {
        var request = try request(url) { $0.user = "u" }
        expectEqual(request.easyRequest.login.methods(at: request.address), methods)
        // Of several methods libcurl uses none before the server asks, and then the best: there is nothing else to try.
        let hasMore = request.useDigest()
        expectEqual(hasMore, (url.hasPrefix("https")))
    }

    @Test func `follows redirects up to the limit and returns to the first URL to start over`() throws {
        var request = try request { $0.maxRedirects = 3 }
        try request.follow("/b", from: "http://h/f", counted: 0)
        expectEqual(request.easyRequest.url.text, "http://h/b")
        expectEqual(request.lastLocation, "http://h/b")
        try request.follow("http://other/c", from: "http://h/b", counted: 1)
        expectEqual(request.easyRequest.url.text, "http://other/c")
        #expect(throws: TransferFailure.tooManyRedirects(3)) {
            try request.follow("/d", from: "http://other/c", counted: 0)
        }
        #expect(throws: TransferFailure.redirectRefused("file:///etc/passwd")) {
            try request.follow("file:///etc/passwd", from: "http://h/", counted: 0)
        }
        let isAllowed = request.startOver(.rangeRefused)
        expect(isAllowed)
        expectEqual(request.easyRequest.url.text, "http://h/f")
    }

    @Test func `sends no credentials and no cookies to another host`() throws {
        var request = try request {
            $0.user = "u"
            $0.headers = ["Authorization: x", "Cookie: y", "X-Other: z", "Accept: a/b"]
        }
        try request.follow("/b", from: "http://h/f", counted: 0)
        expectEqual(request.easyRequest.settings.value.user, "u")
        try request.follow("http://other/c", from: "http://h/b", counted: 0)
        expectNil(request.easyRequest.settings.value.user)
        expectEqual(request.easyRequest.settings.value.headers, ["Accept: a/b"])
    }

    @Test func `tests for a folder where there is no file`() throws {
        var request = try request("ftp://h/f")
        let isFolder = request.noteListing()
        expect(!isFolder)
        let missing = TransferFailure.remoteFile(.missingOrDenied, path: "/f")
        let question = try require(FolderQuestion(after: .remoteFileNotFound, missing, of: request.address))
        request.aim = .folder(question)
        expectEqual(request.easyRequest.url.text, "ftp://h/f/")
        expectEqual(request.folderQuestion?.failure(.remoteFileNotFound, path: "/f"), missing)
        let isListed = request.noteListing()
        expect(isListed)
        expectEqual(
            request.folderQuestion?.failure(.remoteFileNotFound, path: "/f"), .remoteFile(.folder, path: "/f"))
    }
}

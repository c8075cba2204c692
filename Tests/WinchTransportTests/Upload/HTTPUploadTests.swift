import Synchronization
import TestSupport
import Testing

@testable import WinchHTTP
@testable import WinchModel
@testable import WinchTransport

extension ResponseHead {
    /// - Parameter lines: of the head, the status line first.
    init(_ lines: String...) { self.init(lines: lines) }

    init(lines: [String]) {
        self.init()
        for line in lines + [""] { Array(line.utf8).withUnsafeBytes { _ = read($0) } }
    }
}

/// The dialogue is a value: answers go in, steps come out.
@Suite struct `The dialogue of a PUT or POST` {
    private static let url = "http://h/a/b/x"

    private func dialogue(
        size: Int64? = 100, url: String = Self.url, type: String = "a/b", _ folders: KnownFolders = KnownFolders(),
        _ change: (inout UploadOrder) -> Void = { _ in }
    ) throws -> HTTPUpload {
        var order = UploadOrder(.file("/x"))
        change(&order)
        var settings = TransferSettings()
        settings.user = "me"
        settings.maxRedirects = 2
        return HTTPUpload(try ConnectionRequest(url, settings), order, contentType: type, size: size, folders: folders)
    }

    private func answer(_ status: Int, _ line: String = "X: y", isSent: Bool = true, from url: String = Self.url) throws
        -> UploadAnswer
    {
        var answer = UploadAnswer(url: try TransferURL(url))
        answer.head = ResponseHead("HTTP/1.1 \(status) x", line)
        answer.isSent = isSent
        return answer
    }

    private func words(_ step: UploadStep) -> String {
        guard case .request(let request) = step else { return step.words }
        let body = request.body.map { $0.upperBound == .max ? " all" : " \($0)" } ?? ""
        return "\(request.method ?? "GET") \(request.url.text)\(body)"
    }

    private static let ends: [(String, Int64?, Int, String, String)] = [
        (url, 100, 200, "X: y", "done"), (url, 100, 201, "X: y", "done"), (url, 100, 204, "X: y", "done"),
        (url, 100, 303, "X: y", "done"), (url, 100, 411, "X: y", "httpStatus(411)"),
        // Chunks are refused.
        (url, nil, 411, "X: y", "needs the size"), (url, nil, 501, "X: y", "needs the size"),
        (url, 100, 301, "Location: http://n/x", "redirectRefused(\"http://n/x; "),
        (url, 100, 302, "Location: http://n/x", "redirectRefused(\"http://n/x; "),
        (url, 100, 302, "X: y", "badResponse(\"status 302 without a Location\")"),
        (url, 100, 302, "Location:", "badResponse(\"status 302 without a Location\")"),
        ("https://h/x", 100, 307, "Location: http://h/x", "redirectRefused(\"http://h/x is not secured ("),
    ]

    @Test(arguments: ends)
    func `ends as the answer says`(url: String, size: Int64?, status: Int, line: String, expected: String) throws {
        var upload = try dialogue(size: size, url: url)
        expectEqual(words(upload.next(after: nil)), "PUT \(url) \(size == nil ? "all" : "0..<100")")
        let end = words(upload.next(after: try answer(status, line, from: url)))
        expect(end.hasPrefix(expected), "\(end)")
    }

    @Test func `asks for permission only for a large body, or one of unknown size`() throws {
        for (size, isAsking) in [(100, false), ((1 << 20) - 1, false), (1 << 20, true), (nil, true)] as [(Int64?, Bool)]
        {
            var upload = try dialogue(size: size)
            guard case .request(let request) = upload.next(after: nil) else { return }
            expect(request.headers == ["Content-Type: a/b"] + (isAsking ? [] : ["Expect:"]))
        }
    }

    /// A program that uses the library may give anything.
    @Test func `keeps the type of the body in one line`() throws {
        var upload = try dialogue(type: "a/b\r\nX-Evil: 1\0")
        guard case .request(let request) = upload.next(after: nil) else { return }
        expectEqual(request.headers.first, "Content-Type: a/bX-Evil: 1")
    }

    @Test(arguments: [
        ("<status>HTTP/1.1 201 Created</status>", "done"), ("", "done"), ("HTTP/1.", "done"), ("HTTP/1.1 x07", "done"),
        ("<status>HTTP/1.1 200 OK</status>\n<status>HTTP/1.1 507 Insufficient Storage</status>", "httpStatus(507)"),
    ])
    func `finds the failures in an answer of several statuses`(body: String, expected: String) throws {
        var upload = try dialogue()
        _ = upload.next(after: nil)
        var several = try answer(207)
        several.body = Array(body.utf8)
        expectEqual(words(upload.next(after: several)), expected)
    }

    @Test func `fails when the answer comes before the body`() throws {
        var upload = try dialogue()
        _ = upload.next(after: nil)
        expectEqual(words(upload.next(after: try answer(201, isSent: false))), "answeredEarly(status: 201)")
    }

    @Test func `follows redirects that keep the method, so many as allowed, and without the login elsewhere`() throws {
        var upload = try dialogue()
        _ = upload.next(after: nil)
        guard case .request(let same) = upload.next(after: try answer(307, "Location: /y")) else { return }
        expect(same.url.text == "http://h/y" && same.settings.value.user == "me" && same.body == 0..<100)
        let there = try answer(308, "Location: http://other/z", from: "http://h/y")
        guard case .request(let other) = upload.next(after: there) else { return }
        expect(other.url.text == "http://other/z" && other.settings.value.user == nil)
        let third = try answer(307, "Location: /w", from: "http://other/z")
        expectEqual(words(upload.next(after: third)), "tooManyRedirects(2)")
    }

    @Test func `follows redirects of its folders that keep the method, without the login elsewhere`() throws {
        var upload = try dialogue { $0.createsFolders = true }
        _ = upload.next(after: nil)
        guard case .request(let same) = upload.next(after: try answer(307, "Location: /c/")) else { return }
        expect((same.method, same.url.text, same.settings.value.user) == ("MKCOL", "http://h/c/", "me"))
        let there = try answer(308, "Location: http://other/c/", from: "http://h/c/")
        guard case .request(let other) = upload.next(after: there) else { return }
        expect((other.url.text, other.settings.value.user) == ("http://other/c/", nil))
        expectEqual(words(upload.next(after: try answer(409))), "MKCOL http://h/a/")
        let end = words(upload.next(after: try answer(307, "Location: /d/")))
        expectEqual(end, "tooManyRedirects(2)")
    }

    @Test func `makes the folders that are missing, each once`() throws {
        let folders = KnownFolders()
        var upload = try dialogue(folders) { $0.createsFolders = true }
        expectEqual(words(upload.next(after: nil)), "MKCOL http://h/a/b/")
        expectEqual(words(upload.next(after: try answer(409))), "MKCOL http://h/a/")
        expectEqual(words(upload.next(after: try answer(201))), "MKCOL http://h/a/b/")
        expectEqual(words(upload.next(after: try answer(201))), "PUT http://h/a/b/x 0..<100")
        var next = try dialogue(folders) { $0.createsFolders = true }
        expectEqual(words(next.next(after: nil)), "PUT http://h/a/b/x 0..<100")
        // Another program has deleted it meanwhile.
        expectEqual(words(next.next(after: try answer(409))), "MKCOL http://h/a/b/")
        expectEqual(words(next.next(after: try answer(409))), "MKCOL http://h/a/")
        expectEqual(words(next.next(after: try answer(201))), "MKCOL http://h/a/b/")
        expectEqual(words(next.next(after: try answer(201))), "PUT http://h/a/b/x 0..<100")
        expectEqual(words(next.next(after: try answer(409))), "httpStatus(409)")
        var there = try dialogue { $0.createsFolders = true }
        _ = there.next(after: nil)
        expectEqual(words(there.next(after: try answer(405))), "PUT http://h/a/b/x 0..<100")
        // It has no folders to be made.
        var without = try dialogue { $0.createsFolders = true }
        _ = without.next(after: nil)
        expectEqual(words(without.next(after: try answer(501))), "PUT http://h/a/b/x 0..<100")
        var refused = try dialogue { $0.createsFolders = true }
        _ = refused.next(after: nil)
        expectEqual(words(refused.next(after: try answer(403))), "httpStatus(403)")
    }

    @Test(
        arguments: [
            ([405], "/a/b/x"), ([409, 405], "/a/b/"), ([201], nil), ([409, 201, 405], "/a/b/x"),
        ] as [([Int], String?)])
    func `asks whether a file is in the place of a folder that is there already`(
        answers: [Int], path: String?
    ) throws {
        var upload = try dialogue { $0.createsFolders = true }
        _ = upload.next(after: nil)
        for status in answers { _ = upload.next(after: try answer(status)) }
        let words = "409 conflict; is a file in the place of its folder?"
        let failure = path.map { TransferFailure.remoteWrite(.unknown, path: $0, details: words) }
        expectEqual(self.words(upload.next(after: try answer(409))), "\(failure ?? .httpStatus(409))")
    }

    @Test func `makes a folder that several uploads want once, and the others wait for it`() throws {
        let folders = KnownFolders()
        func upload() throws -> HTTPUpload { try dialogue(folders) { $0.createsFolders = true } }
        var (first, second) = (try upload(), try upload())
        expectEqual(words(first.next(after: nil)), "MKCOL http://h/a/b/")
        expectEqual(words(second.next(after: nil)), "await http://h/a/b/")
        let calls = Mutex(0)
        let folder = try TransferURL("http://h/a/b/")
        expect(folders.wait(for: folder) { calls.withLock { $0 += 1 } })
        expectEqual(words(second.next(after: nil)), "await http://h/a/b/")
        expectEqual(words(first.next(after: try answer(201))), "PUT http://h/a/b/x 0..<100")
        expectEqual(calls.withLock(\.self), 1)
        expectEqual(words(second.next(after: nil)), "PUT http://h/a/b/x 0..<100")
        expect(!folders.wait(for: folder) {})
    }

    @Test func `makes a folder in place of an upload that was cancelled meanwhile`() throws {
        let folders = KnownFolders()
        var first: HTTPUpload? = try dialogue(folders) { $0.createsFolders = true }
        var second = try dialogue(folders) { $0.createsFolders = true }
        _ = first?.next(after: nil)
        expectEqual(words(second.next(after: nil)), "await http://h/a/b/")
        first = nil
        expectEqual(words(second.next(after: nil)), "MKCOL http://h/a/b/")
    }

    @Test func `makes a parent again that was made by another upload and is there no more`() throws {
        let folders = KnownFolders()
        folders.insert(try TransferURL("http://h/a/"))
        var upload = try dialogue(folders) { $0.createsFolders = true }
        expectEqual(words(upload.next(after: nil)), "MKCOL http://h/a/b/")
        // It may have been made since the request was sent.
        expectEqual(words(upload.next(after: try answer(409))), "MKCOL http://h/a/b/")
        expectEqual(words(upload.next(after: try answer(409))), "MKCOL http://h/a/")
        expectEqual(words(upload.next(after: try answer(201))), "MKCOL http://h/a/b/")
        expectEqual(words(upload.next(after: try answer(409))), "httpStatus(409)")
    }
}

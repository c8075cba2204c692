import TestSupport
import Testing

@testable import WinchHTTP
@testable import WinchModel
@testable import WinchTransport

/// The dialogue is a value: answers go in, steps come out.
@Suite struct `The dialogue of tus` {
    private static let source = FileIdentity(device: 1, node: 2, length: 3_000_000, modified: 3)
    private static let place = "http://h/files/1"

    /// - Parameters:
    ///   - kept: bytes that the server had at the end of an earlier attempt.
    ///   - place: of that attempt.
    private func dialogue(
        kept: Int64? = nil, source: FileIdentity = Self.source, url: String = "http://h/files/",
        place: String = Self.place
    ) throws -> TusUpload {
        var order = UploadOrder(.file("/d/x y"))
        order.httpProtocol = .tus
        var settings = TransferSettings()
        settings.user = "me"
        var request = try ConnectionRequest(url, settings)
        if let kept {
            request.resume = ResumePoint(
                upload: UploadPlace(name: place, source: Self.source), have: ByteCount(bytes: kept),
                total: ByteCount(bytes: 3_000_000), name: "x")
        }
        return TusUpload(request, order, contentType: "a/b", size: source.length, source: source)
    }

    private func answer(
        _ status: Int, _ lines: String..., failure: TransferFailure? = nil
    ) throws -> UploadAnswer {
        var answer = UploadAnswer(url: try TransferURL("http://h/files/"))
        answer.head = ResponseHead(lines: ["HTTP/1.1 \(status) x"] + lines)
        answer.failure = failure
        return answer
    }

    /// The first request is under way.
    private func begun(
        kept: Int64? = 10, source: FileIdentity = Self.source, url: String = "http://h/files/",
        place: String = Self.place
    ) throws -> (TusUpload, UploadStep) {
        var upload = try dialogue(kept: kept, source: source, url: url, place: place)
        let step = upload.next(after: nil)
        return (upload, step)
    }

    private func words(_ step: UploadStep) -> String {
        guard case .request(let request) = step else { return step.words }
        let method = request.isHead ? "HEAD" : request.method ?? "GET"
        return "\(method) \(request.url.text)" + (request.body.map { $0.isEmpty ? "" : " \($0)" } ?? "")
    }

    @Test func `creates, waits for the ledger, and sends the whole`() throws {
        var upload = try dialogue()
        let create = upload.next(after: nil)
        expectEqual(words(create), "POST http://h/files/")
        guard case .request(let request) = create else { return }
        expect(request.headers.contains("Tus-Resumable: 1.0.0") && request.headers.contains("Upload-Length: 3000000"))
        expect(request.headers.contains("Upload-Metadata: filename eCB5,filetype YS9i"))
        expectEqual(words(upload.next(after: try answer(201, "Location: 1"))), "hold http://h/files/1")
        expectEqual(words(upload.next(after: nil)), "PATCH http://h/files/1 0..<3000000")
        expectEqual(words(upload.next(after: try answer(204, "Upload-Offset: 3000000"))), "done")
    }

    @Test func `goes on at the offset of the server`() throws {
        let (started, step) = try begun(kept: 2_000_000)
        var upload = started
        expectEqual(words(step), "HEAD http://h/files/1")
        expectEqual(
            words(upload.next(after: try answer(200, "Upload-Offset: 1500000"))),
            "PATCH http://h/files/1 1500000..<3000000")
        let lost = try answer(0, failure: .connectionLost("x"))
        expectEqual(words(upload.next(after: lost)), "connectionLost(\"x\"), kept")
    }

    @Test func `asks for the offset when a kept connection has closed, and keeps none from then on`() throws {
        var (upload, _) = try begun()
        func part() throws -> UploadRequest? {
            guard case .request(let part) = upload.next(after: try answer(200, "Upload-Offset: 10")) else { return nil }
            return part
        }
        try expectEqual(part()?.needsFreshConnection, false)
        var lost = try answer(0, failure: .connectionLost("x"))
        lost.code = .rewindFailed
        expectEqual(words(upload.next(after: lost)), "HEAD http://h/files/1")
        try expectEqual(part()?.needsFreshConnection, true)
        expectEqual(words(upload.next(after: lost)), "connectionLost(\"x\"), kept")
    }

    @Test func `follows 307 and 308, and tells a foreign server no login`() throws {
        var (upload, _) = try begun(kept: nil)
        let moved = upload.next(after: try answer(307, "Location: http://n/files/"))
        expectEqual(words(moved), "POST http://n/files/")
        if case .request(let request) = moved { expectNil(request.settings.value.user) }
        _ = upload.next(after: try answer(201, "Location: http://h/files/1"))
        expectEqual(words(upload.next(after: nil)), "PATCH http://h/files/1 0..<3000000")
        let patch = upload.next(after: try answer(308, "Location: http://h/new/1"))
        expectEqual(words(patch), "PATCH http://h/new/1 0..<3000000")
        expectEqual(words(upload.next(after: try answer(409))), "HEAD http://h/files/1")
        expectEqual(words(upload.next(after: try answer(307, "Location: /new/1"))), "HEAD http://h/new/1")
    }

    @Test func `does not follow redirects for ever`() throws {
        var (upload, _) = try begun(kept: nil)
        var last = ""
        for _ in 0..<100 where !last.hasPrefix("tooManyRedirects") {
            last = words(upload.next(after: try answer(307, "Location: http://h/files/")))
        }
        expect(last.hasPrefix("tooManyRedirects"))
    }

    @Test func `sends smaller pieces to a server that refuses the size of one`() throws {
        var (upload, _) = try begun()
        _ = upload.next(after: try answer(200, "Upload-Offset: 0"))
        expectEqual(words(upload.next(after: try answer(413))), "PATCH http://h/files/1 0..<1500000")
        expectEqual(words(upload.next(after: try answer(413))), "PATCH http://h/files/1 0..<750000")
        let next = upload.next(after: try answer(204, "Upload-Offset: 750000"))
        expectEqual(words(next), "PATCH http://h/files/1 750000..<1500000")
        for _ in 0..<2 { _ = upload.next(after: try answer(413)) }
        expectEqual(words(upload.next(after: try answer(413))), "httpStatus(413), kept")
    }

    @Test(arguments: [423, 409, 503]) func `keeps its place when the upload is locked`(status: Int) throws {
        var (upload, _) = try begun()
        expectEqual(words(upload.next(after: try answer(status))), "httpStatus(\(status)), kept")
    }

    @Test func `begins anew with another version of the source, and at an address without TLS`() throws {
        var other = Self.source
        other.modified += 1
        expectEqual(words(try begun(source: other).1), "POST http://h/files/")
        expectEqual(words(try begun(url: "https://h/files/").1), "POST https://h/files/")
    }

    /// Otherwise the requests would go on for ever.
    @Test(arguments: [[10], [10, 5]])
    func `gives up when the server accepts no byte, or moves its offset to and fro`(offsets: [Int]) throws {
        var (upload, _) = try begun()
        var last = ""
        for round in 0..<20 where last.isEmpty {
            let offset = offsets[round % offsets.count]
            let step = words(upload.next(after: try answer(200, "Upload-Offset: \(offset)")))
            if step.hasPrefix("badResponse") { last = step } else { _ = upload.next(after: try answer(409)) }
        }
        expect(last.contains("does not accept the bytes"))
    }

    /// A page of the network or of a login, say.
    @Test(arguments: [(200, "X: y"), (202, "X: y"), (204, "X: y"), (200, "Upload-Offset: 7")])
    func `takes no bytes for stored of which the answer does not say so`(status: Int, line: String) throws {
        var (upload, _) = try begun()
        var last = ""
        for _ in 0..<20 where last.isEmpty {
            let part = words(upload.next(after: try answer(200, "Upload-Offset: 0")))
            guard part.hasPrefix("PATCH") else {
                last = part
                break
            }
            expectEqual(words(upload.next(after: try answer(status, line))), "HEAD http://h/files/1")
        }
        expectEqual(last, "badResponse(\"the tus server does not accept the bytes\"), kept")
        var (stored, _) = try begun()
        _ = stored.next(after: try answer(200, "Upload-Offset: 0"))
        _ = stored.next(after: try answer(status, line))
        expectEqual(words(stored.next(after: try answer(200, "Upload-Offset: 3000000"))), "done")
    }

    @Test(arguments: [403, 404, 405, 410])
    func `begins anew once when the server has forgotten it`(status: Int) throws {
        var (upload, _) = try begun()
        expectEqual(words(upload.next(after: try answer(status))), "POST http://h/files/")
        _ = upload.next(after: try answer(201, "Location: 2"))
        _ = upload.next(after: nil)
        expectEqual(words(upload.next(after: try answer(410))), "httpStatus(410)")
    }

    /// The ledger has the address, which a server has chosen.
    @Test(arguments: [
        ("http://h/files/", "http://h/files/1", true), ("http://h/files/", "http://other/files/1", false),
        ("http://h/files/", "https://h/files/1", false), ("http://h/files/", "http://h:81/files/1", false),
    ])
    func `sends the login to no other server than that of the URL`(url: String, place: String, isSent: Bool) throws {
        guard case .request(let request) = try begun(url: url, place: place).1 else { return }
        expectEqual(request.url.text, place)
        expectEqual((request.settings.value.user != nil), isSent)
    }

    @Test(arguments: ["X: y", "Upload-Offset: 3000001", "Upload-Offset: -1", "Upload-Offset: 99999999999999999999"])
    func `believes no impossible offset`(line: String) throws {
        var (upload, _) = try begun()
        expectEqual(words(upload.next(after: try answer(200, line))), "POST http://h/files/")
        _ = upload.next(after: try answer(201, "Location: 2"))
        _ = upload.next(after: nil)
        expectEqual(words(upload.next(after: try answer(204))), "HEAD http://h/files/2")
        expect(words(upload.next(after: try answer(200, line))).hasPrefix("badResponse"))
    }
}

import FaultServer
import Glibc
import TestSupport
import Testing

@testable import WinchHTTP
@testable import WinchModel
@testable import WinchTransport

@Suite(.timeLimit(.minutes(5))) struct `A page received instead of a file` {
    private static let page = "<!DOCTYPE html><title>Log in</title>"
    private static let answer =
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: \(page.utf8.count)\r\n\r\n\(page)"

    private func warnings(_ events: [TransportEvent]) -> [TransferWarning] {
        events.compactMap { if case .warned(let warning) = $0 { warning } else { nil } }
    }

    @Test func `is saved with a warning when the name has a binary extension`() async throws {
        try await Rig.serving { server, rig in
            let odd = try await rig.fetch(server.rawURL(Self.answer), name: "a.zip")
            expectEqual(odd.saved, "a.zip")
            expectEqual(warnings(odd), [.page(expected: ".zip")])
            let fine = try await rig.fetch(server.rawURL(Self.answer), id: 2, name: "a.html")
            expect(fine.saved == "a.html" && warnings(fine) == [])
        }
    }

    @Test func `is noted when the URL ends in a slash, unless the user names the file`() async throws {
        try await Rig.serving { server, rig in
            let page = server.url("pub/", "size=500", "type=text/html")
            let noted = try await rig.fetch(page)
            expect(noted.saved != nil && warnings(noted) == [.pageOfFolder])
            let urls = [server.url("pub/", "size=500"), server.url("pub/x", "size=500", "type=text/html")]
            for (id, url) in urls.enumerated() {
                let plain = try await rig.fetch(url, id: id + 2)
                expectEqual(warnings(plain), [])
            }
            let named = try await rig.fetch(page, id: 4, name: "y")
            expectEqual(warnings(named), [])
        }
    }

    @Test func `is refused when a probe named another size, and suspected when it named a type`() async throws {
        try await Rig.serving { server, rig in
            _ = try await rig.probe(server.url("x", "size=9"))
            let events = try await rig.fetch(server.rawURL(Self.answer), name: "noext")
            expectEqual(
                events.failure,
                .badResponse(
                    "an HTML page, not the 9 bytes that it had named; the link may be valid for one request"))
            let again = try await rig.fetch(server.rawURL(Self.answer), name: "noext")
            expectEqual(again.failure, events.failure, "also at the next attempt")
            _ = try await rig.probe(server.url("y", "size=\(Self.page.utf8.count)"), id: 2)
            let alike = try await rig.fetch(server.rawURL(Self.answer), id: 2, name: "noext")
            expectEqual(warnings(alike), [.page(expected: "another type of file")])
        }
    }

    @Test func `is not suspected in another file, whose size is compared with the one that was named`() async throws {
        try await Rig.serving { server, rig in
            for (id, named) in [(1, 9), (2, 500)] {
                _ = try await rig.probe(server.url("x", "size=\(named)"), id: id)
                let events = try await rig.fetch(server.url("x", "size=500"), id: id, name: "x\(id)")
                expectEqual(events.saved, "x\(id)")
                expectEqual(warnings(events), named == 500 ? [] : [.otherSize(named: ByteCount(bytes: 9))])
            }
        }
    }

    @Test(arguments: ["real", "real.iso"])
    func `never replaces kept bytes`(name: String) async throws {
        try await Rig.serving { server, rig in
            let cut = try await rig.fetch(server.url("real", "size=900000", "dropfirst=500000"), name: name)
            let kept = try require(cut.kept)
            let events = try await rig.fetch(server.rawURL(Self.answer), name: name, resume: kept)
            guard case .unexpectedPage = events.failure else {
                Issue.record("\(String(describing: events.last))")
                return
            }
            expectEqual(events.kept, kept)
            try expectEqual(rig.folder.bytes("\(name).part"), FaultServer.content("real", 500_000))
            let done = try await rig.fetch(server.url("real", "size=900000"), name: name, resume: events.kept)
            expectEqual(done.openings.first?.offset.bytes, 500_000)
            expectEqual(done.saved, name)
        }
    }
}

@Suite struct `The check for pages` {
    private func head(_ type: String, status: Int = 200) -> ResponseHead {
        ResponseHead("HTTP/1.1 \(status) OK", "Content-Type: \(type)")
    }

    private func warning(_ check: inout UnexpectedPageCheck, _ text: String) -> TransferWarning? {
        Array(text.utf8).withUnsafeBytes { check.warning(for: $0) }
    }

    @Test(
        arguments: [
            ("text/html", "x.iso", nil, "<html>", true),
            ("text/html", "x", ProbedFile(isPage: false), "<html>", true),
            ("text/html", "x", ProbedFile(size: 9, isPage: true), "<html>", false),
            ("text/html", "x.html", nil, "<html>", false), ("text/html", "x.iso", nil, "PK", false),
            ("application/zip", "x.zip", nil, "<html>", false),
        ] as [(String, String, ProbedFile?, String, Bool)])
    func `warns once, depending on type, name and first bytes`(
        type: String, name: String, known: ProbedFile?, body: String, isOdd: Bool
    ) throws {
        var check = UnexpectedPageCheck(known)
        try check.judge(head(type), name: name, part: nil)
        let first = warning(&check, body)
        let second = warning(&check, body)
        expectEqual((first != nil), isOdd)
        expectNil(second)
    }

    @Test func `refuses a page instead of kept bytes unless they are a page`() throws {
        let folder = try TemporaryFolder()
        let target = try TargetFolder.open(folder.path, parts: [])
        for (name, bytes, isPage) in [("a", "PK", false), ("b", "<html>", true)] {
            let part = try PartFile.create(for: name, in: target)
            try PartWriter(part, at: 0).append(Array(bytes.utf8))
            var check = UnexpectedPageCheck(nil)
            var failure: TransferFailure?
            do throws(TransferFailure) { try check.judge(head("text/html"), name: name, part: part) } catch {
                failure = error
            }
            expect(failure == (isPage ? nil : .unexpectedPage(expected: "the rest of \(name)")))
            // The rest of a range is not judged by its type.
            try check.judge(head("text/html", status: 206), name: name, part: part)
        }
    }
}

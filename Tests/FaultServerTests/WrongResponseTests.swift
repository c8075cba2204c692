import Testing

@testable import FaultServer

/// Misbehaviour that depends on earlier requests, or needs a head that no library would write.
@Suite struct `A lying server` {
    private func plan(_ query: String, number: Int = 1, _ headers: (String, String)...) throws -> ResponsePlan {
        let target = "/f/a?" + query
        let request = ReceivedRequest(
            method: "GET", target: target, headers: headers.map { .init(name: $0.0, value: $0.1) }, isKeepAlive: true)
        let behaviour = try #require(try FaultOptions(RequestTarget(target)))
        let visit = Visit(number: number, earlierGets: number - 1)
        return ResponsePlan.gate(request, behaviour, busy: 0, now: 0)
            ?? ResponsePlan.file(request, behaviour, visit: visit, now: 0)
    }

    private func text(_ plan: ResponsePlan) -> String {
        plan.steps.map { if case .raw(let bytes) = $0 { String(decoding: bytes, as: UTF8.self) } else { "" } }.joined()
    }

    @Test func `redirects each client to a link that works once`() throws {
        var history = History()
        func visit(_ query: String) throws -> ResponsePlan? {
            let target = "/f/a?" + query
            let request = ReceivedRequest(method: "GET", target: target, headers: [], isKeepAlive: true)
            let behaviour = try #require(try FaultOptions(RequestTarget(target)))
            return ResponsePlan.ticket(request, behaviour, &history, now: 0)
        }
        let sent = try #require(try visit("size=9&ticket"))
        #expect(sent.status == 302)
        #expect(text(sent).contains("Location: /f/a?size=9&ticket=1\r\n"))
        #expect(try visit("size=9&ticket=1") == nil)
        #expect(try visit("size=9&ticket=1")?.status == 403)
        #expect(try visit("size=9&ticket=7")?.status == 403)
        #expect(try visit("size=9") == nil)
    }

    @Test func `sends a page instead of the file`() throws {
        #expect(try plan("page=2", number: 1).steps.count == 2)
        let page = try plan("page=2", number: 2)
        #expect(page.status == 200)
        #expect(text(page).contains("Content-Type: text/html"))
    }

    @Test func `refuses every range with 416 and the true size`() throws {
        #expect(try plan("size=100&ranges=refuse").status == 200)
        let refused = try plan("size=100&ranges=refuse", ("Range", "bytes=5-"))
        #expect(refused.status == 416)
        #expect(text(refused).contains("Content-Range: bytes */100\r\n"))
    }

    @Test func `sends a Content-Range that does not match the bytes`() throws {
        let lie = try plan("size=100&contentrange=bytes%20x", ("Range", "bytes=5-"))
        #expect(lie.status == 206)
        #expect(text(lie).contains("Content-Range: bytes x\r\n"))
    }

    @Test func `sends interim responses before its own`() throws {
        let heads = text(try plan("size=1&interim=103,100"))
        #expect(heads.hasPrefix("HTTP/1.1 103 Wait\r\n"))
        #expect(heads.split(separator: "HTTP/1.1 ").map { $0.prefix(3) } == ["103", "100", "200"])
        #expect(throws: FaultServerFailure.self) { try plan("interim=200") }
    }

    @Test func `sends a very large head`() throws {
        #expect(text(try plan("flood=64K")).utf8.count > 64_000)
        #expect(text(try plan("")).utf8.count < 1000)
    }

    @Test func `omits the last chunk`() throws {
        #expect(text(try plan("size=9&chunked")).hasSuffix("0\r\n\r\n"))
        let cut = try plan("size=9&chunked&noend")
        #expect(!text(cut).hasSuffix("0\r\n\r\n"))
        #expect(cut.ending == .close)
    }

    @Test(arguments: [("grow=10", 1, 100), ("grow=10", 2, 110), ("grow=10", 3, 120), ("shrink=60", 3, 0)])
    func `sends versions of different length`(option: String, number: Int, size: Int64) throws {
        let lengths = text(try plan("size=100&change=1&" + option, number: number))
        #expect(lengths.contains("Content-Length: \(size)\r\n"))
    }

    @Test func `changes the file only a given number of times`() throws {
        let tags = try (1...4).map { try text(plan("change=1&versions=2", number: $0)).contains("-v1\"") }
        #expect(tags == [false, true, true, true])
    }

    @Test func `is slow or stalls on the first request only`() throws {
        #expect(try plan("ratefirst=5", number: 1).rate == 5)
        #expect(try plan("ratefirst=5", number: 2).rate == nil)
        #expect(try plan("stallfirst=5", number: 1).ending == .hold)
        #expect(try plan("stallfirst=5", number: 2).ending == .keepAlive)
    }

    @Test func `requires digest authentication`() throws {
        let challenge = try plan("user=alice&pass=secret&digest")
        #expect(challenge.status == 401)
        #expect(text(challenge).contains("WWW-Authenticate: Digest realm=\"fault server\""))
        // Computed with openssl by RFC 7616, section 3.4.1.
        func answer(_ response: String) -> (String, String) {
            (
                "Authorization",
                "Digest username=\"alice\", realm=\"fault server\", nonce=\"a nonce that never changes\", uri=\"/f/a\", "
                    + "qop=auth, nc=00000001, cnonce=\"c\", response=\"\(response)\""
            )
        }
        #expect(try plan("user=alice&pass=secret&digest", answer("2c74d6d373368b7a0e6b6224d7272bf1")).status == 200)
        #expect(try plan("user=alice&pass=secret&digest", answer("00000000000000000000000000000000")).status == 401)
        #expect(try plan("user=alice&pass=secret&digest", ("Authorization", "Basic YWxpY2U6c2VjcmV0")).status == 401)
    }
}

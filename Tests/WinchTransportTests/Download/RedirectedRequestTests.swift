import FaultServer
import TestSupport
import Testing

@testable import WinchModel
@testable import WinchTransport

/// A redirect whose body does not arrive, or is long.
@Suite(.timeLimit(.minutes(5))) struct `A redirect with an endless body` {
    @Test(arguments: [
        "X: y", "Connection: close", "Connection: keep-alive", "Content-Length: 900000", "Content-Length: 5x",
    ])
    func `is followed at the end of its head`(field: String) async throws {
        try await Rig.serving { server, rig in
            let answer = "HTTP/1.1 302 Found\r\nLocation: /f/x?size=700\r\n\(field)\r\n\r\n"
            let events = try await rig.fetch(server.rawURL(answer, "hold"))
            expectEqual(events.saved, "raw", "\(String(describing: events.last))")
            try expectEqual(rig.folder.bytes("raw"), FaultServer.content("x", 700))
            expect(events.contains(.redirected(server.url("x", "size=700"), status: 302)))
        }
    }

    @Test func `counts towards the limit of redirects`() async throws {
        try await Rig.serving { server, rig async throws in
            var url = server.url("x", "size=700", "redirect=1")
            for _ in 0..<2 {
                let target = url.dropFirst(server.origin.count)
                url = server.rawURL("HTTP/1.1 302 Found\r\nLocation: \(target)\r\n\r\n", "hold")
            }
            try await expectEqual(rig.fetch(url) { $0.maxRedirects = 1 }.failure, .tooManyRedirects(1))
            try await expect(rig.fetch(url, id: 2) { $0.maxRedirects = 3 }.saved != nil)
        }
    }
}

@Suite struct `The address that a redirect names` {
    @Test(
        arguments: [
            ("/b", "me"), ("http://h/b", "me"), ("http://h:80/b", "me"), ("http://other/b", nil),
            ("http://h:81/b", nil), ("https://h/b", nil),
        ] as [(String, String?)])
    func `gets the login of the URL at the URL's origin only`(location: String, user: String?) throws {
        let request = try ConnectionRequest("http://me:secret@h/a")
        let redirected = try RedirectedRequest(
            from: "http://h/a", to: location, of: request.url, request.settings)
        expectEqual(redirected.settings.value.user, user)
        expect(redirected.settings.value.password == (user == nil ? nil : "secret"))
    }

    /// That of an upload is stored.
    @Test(
        arguments: [
            ("b", "http://h/b", "me"), ("http://me:secret@h/b", "http://h/b", "me"),
            ("http://al:pw@h/b", "http://al:pw@h/b", nil), ("http://me:secret@h:81/b", "http://me:secret@h:81/b", nil),
        ] as [(String, String, String?)])
    func `has no login of the URL`(location: String, url: String, user: String?) throws {
        let request = try ConnectionRequest("http://me:secret@h/a")
        let redirected = try RedirectedRequest(
            from: request.url.text, to: location, of: request.url, request.settings)
        expectEqual(redirected.url.text, url)
        expectEqual(redirected.settings.value.user, user)
    }

    @Test(
        arguments: [
            ("https://h/", "http://h/x", "http://h/x is not secured (--allow-downgrade)"),
            ("HTTPS://h/", "http://o/", "http://o/ is not secured (--allow-downgrade)"),
            ("https://h/", "https://o/", nil), ("https://h/", "//o/x", nil), ("https://h/", "/x?u=http://o/", nil),
            ("https://h/", "x/y:z", nil), ("http://h/", "http://o/", nil), ("http://h/", "https://o/", nil),
            ("https://h/", "ftp://h/x", "ftp://h/x"), ("http://h/", "file:///x", "file:///x"),
        ] as [(String, String, String?)])
    func `is refused when it is none of the web, or leads from https to http unless allowed`(
        base: String, location: String, refused: String?
    ) throws {
        let request = try ConnectionRequest("https://h/a")
        var refusal: TransferFailure?
        do throws(TransferFailure) {
            _ = try RedirectedRequest(from: base, to: location, of: request.url, request.settings)
        } catch {
            refusal = error
        }
        expectEqual(refusal, refused.map { TransferFailure.redirectRefused($0) })
        var settings = TransferSettings()
        settings.allowsDowngrade = true
        let allowed = try? RedirectedRequest(from: base, to: location, of: request.url, Shared(settings))
        expectEqual(allowed != nil, refused?.hasSuffix("(--allow-downgrade)") ?? true)
    }
}

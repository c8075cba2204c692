import TestSupport
import Testing

@testable import WinchModel
@testable import WinchTransport

@Suite struct `The headers of a request` {
    @Test func `ask for the file itself, not for an encoded form`() {
        expectEqual(RequestHeaders(lines: []).lines, ["Accept-Encoding: identity"])
        expectEqual(RequestHeaders(lines: ["X-A: b"]).lines, ["X-A: b", "Accept-Encoding: identity"])
    }

    @Test(arguments: ["Accept-Encoding: gzip", "accept-encoding:br", "ACCEPT-ENCODING ;", "Accept-Encoding:"])
    func `have the user's line in place of Winch's own of the same name`(line: String) {
        expectEqual(RequestHeaders(lines: [line]).lines, [line])
    }

    @Test func `have the lines of one request in place of the user's`() {
        let headers = RequestHeaders(lines: ["Upload-Offset: 9", "X-A: b"], ["Upload-Offset: 5"])
        expectEqual(headers.lines, ["X-A: b", "Accept-Encoding: identity", "Upload-Offset: 5"])
    }

    @Test func `lack the user's ranges and lines with control characters`() {
        let lines = ["Range: bytes=5-", "if-range: x", "X-A: b\r\nX-B: c", "X-C: \u{0}", "X-D: a\tb"]
        expectEqual(RequestHeaders(lines: lines).lines, ["X-D: a\tb", "Accept-Encoding: identity"])
    }

    @Test func `leave what a proxy is entrusted with to the proxy, whatever the server`() {
        let headers = RequestHeaders(lines: ["proxy-authorization : Basic x", "X-A: b", "Proxy-Authorization: a\nb: c"])
        expectEqual(headers.lines, ["X-A: b", "Accept-Encoding: identity"])
        expect(headers.use([]))
        expectEqual(headers.proxyLines, ["proxy-authorization : Basic x"])
        expect(headers.firstForProxy != nil)
    }

    private static let cookies: [([String], String, String?)] = [
        (["X-A: b"], "h\tFALSE\t/\tFALSE\t0\ta\t1", nil), (["Cookie:"], "", nil), (["Cookie: a=b\r\nX: y"], "", nil),
        (["cookie : a=b;c=d", "Cookie: e"], "", "a=b;c=d; e"), (["Cookie: a=b; c=d;"], "", "a=b; c=d"),
        (["Cookie: a=b; c=d"], "h\tFALSE\t/\tFALSE\t0\ta\t1", "c=d"),
        (["Cookie: a=b"], "#HttpOnly_h\tFALSE\t/p\tFALSE\t0\ta\t", nil),
        // Of a host, of a path and of a scheme to which the request does not go.
        (["Cookie: a=b"], "i\tFALSE\t/\tFALSE\t0\ta\t1", "a=b"),
        (["Cookie: a=b"], "h\tFALSE\t/p/x\tFALSE\t0\ta\t1", "a=b"),
        (["Cookie: a=b"], "h\tFALSE\t/\tTRUE\t0\ta\t1", "a=b"),
    ]

    @Test(arguments: cookies)
    func `leave the user's cookies to one line with those of answers, which replace them`(
        lines: [String], answered: String, value: String?
    ) throws {
        let url = try TransferURL("http://h/p/f?q")
        expectEqual(RequestHeaders.cookies(in: lines, besides: [answered], at: url), value)
        expectNil(RequestHeaders(lines: lines).lines.first { $0.lowercased().hasPrefix("cookie") })
    }

    @Test func `change with the condition of the request`() {
        let headers = RequestHeaders(lines: [])
        expect(headers.setCondition("If-Range: x"))
        expect(!headers.setCondition("If-Range: x"))
        expect(headers.setCondition(nil))
        expect(headers.first != nil)
    }

    @Test func `change with the origin that a redirect leads to`() {
        let headers = RequestHeaders(lines: ["X-Api-Key: k"], ["Expect:"])
        expect(headers.use([]))
        expectEqual(headers.lines, ["Accept-Encoding: identity", "Expect:"])
        expect(!headers.use([]))
        expect(headers.use(["X-Api-Key: k"]))
        expectEqual(headers.lines, ["X-Api-Key: k", "Accept-Encoding: identity", "Expect:"])
    }
}

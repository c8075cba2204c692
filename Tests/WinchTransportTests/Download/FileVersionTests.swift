import TestSupport
import Testing
import WinchHTTP
import WinchModel

@testable import WinchTransport

@Suite struct `What is known of the file at the server` {
    @Test func `does not let other answers go on from an encoded one`() {
        var version = FileVersion()
        version.take(ResponseHead("HTTP/1.1 200 OK", "ETag: \"v1\""), offset: 0, total: 9)
        expect(version.validator != nil)
        version.take(
            ResponseHead("HTTP/1.1 200 OK", "ETag: \"v1\"", "Content-Encoding: gzip"), offset: 0, total: 9)
        expectEqual(version, FileVersion(total: 9))
    }

    @Test func `keeps a weak ETag, which is no validator, until another answer for the whole`() {
        var version = FileVersion()
        version.take(ResponseHead("HTTP/1.1 200 OK", "ETag: W/\"v1\""), offset: 0, total: 9)
        expect(version.validator == nil && version.weakTag == "W/\"v1\"")
        version.take(ResponseHead("HTTP/1.1 206 Partial Content"), offset: 4, total: 9)
        expectEqual(version.weakTag, "W/\"v1\"")
        version.take(ResponseHead("HTTP/1.1 200 OK", "ETag: \"v1\""), offset: 0, total: 9)
        expectNil(version.weakTag)
    }

    @Test func `keeps validator, hash and time when an answer about its rest names none`() {
        var version = FileVersion()
        let field = "Repr-Digest: sha-256=:\(String(repeating: "A", count: 43))=:"
        version.take(ResponseHead("HTTP/1.1 200 OK", "ETag: \"v1\"", field), offset: 0, total: 9, time: 5)
        expectEqual(version.digest?.origin, .header("Repr-Digest"))
        let kept = version
        version.take(ResponseHead("HTTP/1.1 206 Partial Content"), offset: 4, total: 9)
        expectEqual(version, kept)
        version.take(ResponseHead("HTTP/1.1 416 Range Not Satisfiable"), offset: 9, total: 9)
        expectEqual(version, kept)
        version.take(ResponseHead("HTTP/1.1 206 Partial Content"), offset: 4, total: 9, time: 6)
        expectEqual(version.time, 6)
        version.take(ResponseHead("HTTP/1.1 200 OK"), offset: 0, total: 9)
        expectEqual(version, FileVersion(total: 9))
    }
}

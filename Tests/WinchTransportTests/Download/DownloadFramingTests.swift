import FaultServer
import Glibc
import Synchronization
import TestSupport
import Testing
import WinchHTTP

@testable import WinchModel
@testable import WinchTransport

/// Responses given byte for byte.
@Suite(.timeLimit(.minutes(5))) struct `The framing of a response` {
    private static let sixteen = "0123456789abcdef"

    @Test(
        arguments: [
            ("HTTP/1.0 200 OK\r\nContent-Length: 4\r\n\r\n\(sixteen)", "0123"),
            ("HTTP/1.1 203 Changed\r\nContent-Length: 2\r\n\r\nok", "ok"),
            ("HTTP/1.1 206 Part\r\nContent-Range: bytes 0-1/2\r\nContent-Length: 2\r\n\r\nok", "ok"),
        ] as [(String, String)])
    func `that can be understood gives the file`(answer: String, content: String) async throws {
        try await Rig.serving { server, rig in
            let events = try await rig.fetch(server.rawURL(answer), name: "f")
            expectEqual(events.saved, "f", "\(String(describing: events.last))")
            try expectEqual(rig.folder.bytes("f"), Array(content.utf8))
        }
    }

    @Test(
        arguments: [
            (
                "HTTP/1.1 200 OK\r\nContent-Length: 16\r\n\r\n0123",
                .cutShort(have: ByteCount(bytes: 4), expected: ByteCount(bytes: 16))
            ),
            (
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n10\r\n0123",
                .cutShort(have: ByteCount(bytes: 4), expected: nil)
            ),
            ("HTTP/1.1 204 No Content\r\n\r\n", .badResponse("status 204: no content")),
            (
                "HTTP/1.1 205 Reset Content\r\nContent-Length: 0\r\n\r\n",
                .badResponse("status 205: no content")
            ),
            (
                "HTTP/1.1 304 Not Modified\r\n\r\n",
                .badResponse("status 304 (not modified) to a request without a condition")
            ),
            (
                "HTTP/1.1 206 Part\r\nContent-Range: bytes 5-6/7\r\nContent-Length: 2\r\n\r\nok",
                .badResponse("status 206 with a part to a request for the whole file")
            ),
            (
                "HTTP/1.1 206 Part\r\nContent-Length: 2\r\n\r\nok",
                .badResponse("status 206 without a usable Content-Range")
            ),
            (
                "HTTP/1.1 206 Part\r\nContent-Range: bytes 0-5/6\r\nContent-Length: 2\r\n\r\nok",
                .badResponse("Content-Range and Content-Length disagree")
            ),
            (
                "HTTP/1.1 206 Part\r\nContent-Range: bytes 0-1/9\r\nContent-Length: 2\r\n\r\nok",
                .cutShort(have: ByteCount(bytes: 2), expected: ByteCount(bytes: 9))
            ),
        ] as [(String, TransferFailure)])
    func `that is broken fails with a reason`(answer: String, failure: TransferFailure) async throws {
        try await Rig.serving { server, rig in
            let events = try await rig.fetch(server.rawURL(answer), name: "f")
            expectEqual(events.failure, failure)
            expect(!rig.folder.names.contains("f"))
        }
    }

    /// libcurl takes the end of a connection for the end of such a body, also where an attacker has cut it.
    @Test func `without a length is used over TLS only if the end of TLS can be seen`() throws {
        let tls = try require(UnsafeRawPointer(bitPattern: 8))
        let closed = ResponseHead("HTTP/1.1 200 OK")
        expectEqual(EndProof(closed, from: .https, over: tls), .closeNotice(tls))
        expectEqual(EndProof(closed, from: .https, over: nil), .missing)
        expectEqual(EndProof(closed, from: .http, over: nil), .framing)
        let counted = ResponseHead("HTTP/1.1 200 OK", "Content-Length: 5")
        expectEqual(EndProof(counted, from: .https, over: nil), .framing)
        for (status, range) in [(206, "5-9/10"), (416, "*/10")] {
            let part = ResponseHead("HTTP/1.1 \(status) x", "Content-Range: bytes \(range)")
            expectEqual(EndProof(part, from: .https, over: tls), .framing)
        }
        let endless = ResponseHead("HTTP/1.1 206 x", "Content-Range: bytes 5-9/*")
        expectEqual(EndProof(endless, from: .https, over: tls), .closeNotice(tls))
    }

    @Test func `that names the size of the file needs no proper end of the connection`() async throws {
        try await Rig.serving { server, rig in
            let url = server.rawURL(
                "HTTP/1.1 206 Part\r\nContent-Range: bytes 0-1/2\r\n\r\nok", "wait=0.3", "reset")
            try await expectEqual(rig.fetch(url, name: "f").saved, "f")
        }
    }

    @Test(arguments: [
        "lines=20000", "interim=103" + String(repeating: ",103", count: 8999),
        "header=X: \(String(repeating: "x", count: 60_000))&lines=20000",
        "redirect=20&header=X: \(String(repeating: "x", count: 20_000))",
    ])
    func `with endless headers ends the attempt`(options: String) async throws {
        try await Rig.serving { server, rig async throws in
            let url = server.url("f") + "?size=10&" + options.split(separator: " ").joined(separator: "%20")
            try await expectEqual(rig.fetch(url).failure, .badResponse("response headers are too long"))
            expectEqual(rig.folder.names, [])
        }
    }
}

@Suite(.timeLimit(.minutes(5))) struct `A download fault` {
    /// As of a server that sends a body after the answer to HEAD.
    @Test func `of an earlier answer on a kept connection leads to a new one`() async throws {
        let listener = try LoopbackListener()
        defer { shutdown(listener.socket, Int32(SHUT_RDWR)) }
        let connections = Mutex(0)
        listener.serve { client in
            let isFirst = connections.withLock { count in
                count += 1
                return count == 1
            }
            var piece = [UInt8](repeating: 0, count: 4096)
            for number in 0... {
                guard recv(client, &piece, piece.count, 0) > 0 else { return }
                let isLate = isFirst && number == 1
                let answer = isLate ? "the body of before" : "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx"
                FileFTPServer.send(Array(answer.utf8)[...], to: client)
                if isLate { return }
            }
        }
        let rig = try Rig(threads: 1)
        for (index, name) in ["a", "b"].enumerated() {
            let events = try await rig.fetch("http://127.0.0.1:\(listener.port)/\(name)", id: index + 1)
            expectEqual(events.saved, name)
        }
        expectEqual(connections.withLock { $0 }, 2)
    }

    /// The server sends more after the body, or declares less than it sends; at once or in pieces.
    @Test(
        arguments: [
            (["size=1000", "extra=500"], 1000), (["size=1000", "length=400"], 400), (["size=3000000", "length=1"], 1),
            (["size=3000000", "extra=900000"], 3_000_000), (["size=3000000", "length=2999999"], 2_999_999),
            (["size=900000", "length=0"], 0), (["size=3000000", "length=700001", "rate=6000000"], 700_001),
            (["size=3000000", "dropfirst=1000000", "extra=900000"], 3_000_000),
        ] as [([String], Int64)])
    func `never leads to more bytes on disk than were declared`(options: [String], announced: Int64) async throws {
        try await Rig.serving { server, rig in
            let url = server.url("l") + "?" + options.joined(separator: "&")
            var events = try await rig.fetch(url)
            if let kept = events.kept {
                expectAtMost(kept.have.bytes, announced)
                events += try await rig.fetch(url, resume: kept)
            }
            expectEqual(events.saved, "l")
            expect(events.counts.allSatisfy { $0 <= announced }, "\(events.counts)")
            try expectEqual(rig.folder.bytes("l"), FaultServer.content("l", announced))
        }
    }
}

import Foundation
import Glibc
import Synchronization

/// A web server that has one answer for each method and target, `GET /pub/`, and closes the connection after it; 404 for others.
final class ScriptedWebServer: Sendable {
    /// `http://127.0.0.1:PORT`.
    let origin: String
    private let listener: Int32
    private let asked = Mutex<[(line: String, cookie: String?)]>([])

    /// - Parameters:
    ///   - answers: each whole, as `page` makes them.
    ///   - heldOpen: the connection is closed by the client after this answer.
    init(_ answers: [String: String], heldOpen: String? = nil) throws {
        let own = try LoopbackListener()
        listener = own.socket
        origin = "http://127.0.0.1:\(own.port)"
        own.serve { [weak self] in self?.serve($0, answers, heldOpen) }
    }

    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    /// What was asked for, in order: `GET /pub/`.
    var requests: [String] { asked.withLock { $0.map { $0.line } } }
    /// Those of the requests.
    var cookies: [String?] { asked.withLock { $0.map { $0.cookie } } }

    private func serve(_ client: Int32, _ answers: [String: String], _ heldOpen: String?) {
        var head: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4096)
        while head.firstRange(of: "\r\n\r\n".utf8) == nil {
            let count = recv(client, &piece, piece.count, 0)
            guard count > 0 else { return }
            head += piece[..<count]
        }
        let words = head.prefix { $0 != UInt8(ascii: "\r") }.split(separator: UInt8(ascii: " "))
        let line = words.prefix(2).map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
        let cookie = String(decoding: head, as: UTF8.self).split(separator: "\r\n").first { $0.hasPrefix("Cookie: ") }
        asked.withLock { $0.append((line, cookie.map { String($0.dropFirst(8)) })) }
        FileFTPServer.send(Array((answers[line] ?? Self.page("", status: "404 Not Found")).utf8)[...], to: client)
        if line == heldOpen { while recv(client, &piece, piece.count, 0) > 0 {} }
    }

    /// - Parameters:
    ///   - fields: lines of the head, each with its end.
    ///   - length: of the body, if less of it is sent.
    static func page(_ body: String, status: String = "200 OK", fields: String = "", length: Int? = nil) -> String {
        "HTTP/1.1 \(status)\r\nConnection: close\r\n\(fields)Content-Length: \(length ?? body.utf8.count)\r\n\r\n\(body)"
    }
}

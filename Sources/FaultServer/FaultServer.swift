import Glibc

/// A web server on 127.0.0.1 that misbehaves as the URL asks: `/f/NAME?size=3M&drop=1M&dropfirst=10`.
///
/// `/f/NAME` is a file of deterministic bytes, `/raw` an answer spelled out in the URL, `/stats` the number of requests and
/// `/received` the log of uploads as JSON, `/reset` forgets. Two servers are two origins. Each connection has a thread of its own, which blocks: the
/// simplest thing that can misbehave in every way.
package final class FaultServer: Sendable {
    package let port: Int
    private let connections: ServerConnections
    private let reception: ServerRecords

    private init(listener: Int32, port: Int) {
        let records = ServerRecords()
        self.port = port
        self.reception = records
        self.connections = ServerConnections(listener: listener, records: records)
    }

    /// - Parameter port: 0 for any free one.
    package static func start(port: Int = 0) async throws(FaultServerFailure) -> FaultServer {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var on: Int32 = 1
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(clamping: port)).bigEndian
        address.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) == 0 && listen(listener, backlog) == 0 && getsockname(listener, $0, &size) == 0
            }
        }
        guard isListening else {
            let reason = String(cString: strerror(errno))
            close(listener)
            throw .cannotListen(port: port, reason: reason)
        }
        return FaultServer(listener: listener, port: Int(in_port_t(bigEndian: address.sin_port)))
    }

    /// A test may open this many connections at once.
    private static let backlog: Int32 = 1024

    /// Runs `body` with a server of its own, which is shut down afterwards.
    @discardableResult
    package static func serving<Outcome: Sendable>(_ body: (FaultServer) async throws -> Outcome) async throws
        -> Outcome
    {
        let server = try await start()
        do {
            let outcome = try await body(server)
            await server.shutdown()
            return outcome
        } catch {
            await server.shutdown()
            throw error
        }
    }

    /// `http://127.0.0.1:PORT`, without a slash at the end.
    package var origin: String { "http://127.0.0.1:\(port)" }

    /// The URL of a file with these behaviours.
    ///
    /// - Parameter options: plain text such as `"size=3M"`, `"chunked"`, `"disposition=attachment; filename=\"é\""`: values are
    ///   percent-encoded here. For bytes that are no UTF-8 write the URL by hand.
    package func url(_ name: String, _ options: String...) -> String {
        let path = origin + "/f/" + Percent.encoded(name)
        return options.isEmpty ? path : path + "?" + options.map(Self.encoded).joined(separator: "&")
    }

    /// A URL that is answered with exactly these bytes, after which the connection closes.
    ///
    /// - Parameter options: further steps of the answer, such as `"wait=0.1"`, `"bytes=more"`, `"keep"`, `"hold"`.
    package func rawURL(_ answer: String, _ options: String...) -> String {
        origin + "/raw?" + (["bytes=" + answer] + options).map(Self.encoded).joined(separator: "&")
    }

    private static func encoded(_ option: String) -> String {
        let parts = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return parts.map { Percent.encoded($0) }.joined(separator: "=")
    }

    /// Every request since the start or the last `forget()`, in order of arrival, without those for `/stats` and `/reset`.
    package var requests: [LoggedRequest] { reception.requests }

    package func requests(for name: String) -> [LoggedRequest] {
        requests.filter { $0.key == "/f/" + name }
    }

    package var openConnections: Int { reception.openConnections }
    package var totalConnections: Int { reception.totalConnections }

    /// The URL of a file to be uploaded, to be received with these behaviours.
    ///
    /// - Parameters:
    ///   - path: below `/up`, unencoded: `folder/name`.
    ///   - options: as for `url`.
    package func uploadURL(_ path: String, _ options: String...) -> String {
        let url = origin + "\(UploadTree.root)/" + Percent.encoded(path)
        return options.isEmpty ? url : url + "?" + options.map(Self.encoded).joined(separator: "&")
    }

    /// The URL where uploads by tus are created, to be received with these behaviours.
    ///
    /// - Parameter options: as for `url`; those of the parts, too.
    package func tusURL(_ options: String...) -> String {
        let url = origin + TusStore.root
        return options.isEmpty ? url : url + "?" + options.map(Self.encoded).joined(separator: "&")
    }

    /// What exists of uploads by tus, in the order of their creation.
    package var tusUploads: [TusUpload] { reception.uploads.tusUploads }

    /// Every request below `/up` and `/tus` since the start or the last `forget()`, in order of arrival.
    package var uploads: [UploadRecord] { reception.uploads.uploads }

    /// The requests for one path below `/up`, of one method.
    package func uploads(to path: String, method: String = "PUT") -> [UploadRecord] {
        uploads.filter { $0.path == "\(UploadTree.root)/\(path)" && $0.method == method }
    }

    /// What was uploaded to a path below `/up`; `nil` when no upload to it has been complete.
    package func uploaded(_ path: String) -> [UInt8]? { reception.uploads.content(of: "\(UploadTree.root)/\(path)") }

    /// Empties the log, removes what was uploaded and starts every status sequence anew.
    package func forget() { reception.clear() }

    /// Returns when the server has been shut down.
    package func waitUntilClosed() async { await connections.waitUntilClosed() }

    /// Closes every connection and frees the port.
    package func shutdown() async {
        connections.interrupt()
        await connections.waitUntilClosed()
    }
}

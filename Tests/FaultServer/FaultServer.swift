import Glibc

/// A web server on 127.0.0.1 that misbehaves as the URL asks: `/f/NAME?size=3M&drop=1M&dropfirst=10`.
///
/// `/f/NAME` is a file of deterministic bytes, `/tree/OPTIONS/` a tree of them, `/raw` an answer spelled out in the URL.
/// Two servers are two origins. Each connection has a thread of its own, which blocks: the simplest thing that can
/// misbehave in every way.
package final class FaultServer: Sendable {
    package let port: Int
    private let connections: ServerConnections
    private let records: ServerRecords

    /// The options of URLs, for `--help`.
    package static let options =
        (FaultOptions.fileHelp + FaultOptions.sharedHelp + FaultOptions.treeHelp + FaultOptions.uploadHelp)
        .joined(separator: "\n")

    private init(listener: Int32, port: Int) {
        let records = ServerRecords()
        self.port = port
        self.records = records
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
    package func url(_ name: String, _ options: String...) -> String { url(path: "/f/" + name, options) }

    /// A URL that is answered with exactly these bytes, after which the connection closes.
    ///
    /// - Parameter options: further steps of the answer, such as `"wait=0.1"`, `"bytes=more"`, `"keep"`, `"hold"`.
    package func rawURL(_ answer: String, _ options: String...) -> String {
        url(path: "/raw", ["bytes=" + answer] + options)
    }

    /// The URL of a file to be uploaded.
    ///
    /// - Parameters:
    ///   - path: below `/up`, unencoded: `folder/name`.
    ///   - options: as for `url`.
    package func uploadURL(_ path: String, _ options: String...) -> String {
        url(path: "\(UploadTree.root)/\(path)", options)
    }

    /// The URL where uploads by tus are created.
    ///
    /// - Parameter options: as for `url`; those of the parts, too.
    package func tusURL(_ options: String...) -> String { url(path: TusStore.root, options) }

    /// The URL of a folder or file of a generated tree.
    ///
    /// - Parameters:
    ///   - options: as they stand in the path: `"form=nginx"`, `"status=503+200"`.
    ///   - path: encoded; the start when not given.
    package func treeURL(_ options: String..., path: String = "pub/") -> String {
        origin + TreeTarget.root + "/" + options.joined(separator: ",") + "/" + path
    }

    /// The files of a generated tree, at and below the start.
    ///
    /// - Parameter options: as for `treeURL`.
    package func treeFiles(_ options: String...) throws -> [TreeFile] {
        let target = RequestTarget(TreeTarget.root + "/" + options.joined(separator: ",") + "/")
        guard case .folder(let folder) = try FaultOptions(target)?.place else { return [] }
        return folder.allFiles
    }

    private func url(path: String, _ options: [String]) -> String {
        let options = options.map { option in
            option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map { Percent.encoded($0) }.joined(separator: "=")
        }
        return origin + RequestTarget(Percent.encoded(path)).with(options)
    }

    /// Every request for a file or `/raw` since the start or the last `forget()`, in order of arrival.
    package var requests: [LoggedRequest] { records.requests }
    package var requestCount: Int { records.requestCount }

    package func requests(for name: String) -> [LoggedRequest] {
        requests.filter { $0.key == "/f/" + name }
    }

    /// The requests for folders of generated trees.
    package var listings: [LoggedRequest] {
        requests.filter { $0.key.hasPrefix(TreeTarget.root + "/") && $0.key.hasSuffix("/") }
    }

    /// How often the bytes of a file were asked for. Where slots are rare, its size is asked for as well, by HEAD.
    package func downloads(of name: String) -> Int { requests(for: name).count { $0.method == "GET" } }

    package var openConnections: Int { records.openConnections }
    package var totalConnections: Int { records.totalConnections }

    /// What exists of uploads by tus, in the order of their creation.
    package var tusUploads: [TusUpload] { records.uploads.tusUploads }

    /// Every request below `/up` and `/tus` since the start or the last `forget()`, in order of arrival.
    package var uploads: [UploadRecord] { records.uploads.uploads }

    /// The requests for one path below `/up`, of one method.
    package func uploads(to path: String, method: String = "PUT") -> [UploadRecord] {
        uploads.filter { $0.path == "\(UploadTree.root)/\(path)" && $0.method == method }
    }

    /// What was uploaded to a path below `/up`; `nil` when no upload to it has been complete.
    package func uploaded(_ path: String) -> [UInt8]? { records.uploads.content(of: "\(UploadTree.root)/\(path)") }

    /// Empties the log, removes what was uploaded and starts every status sequence anew.
    package func forget() { records.clear() }

    /// Returns when the server has been shut down.
    package func waitUntilClosed() async { await connections.waitUntilClosed() }

    /// Closes every connection and frees the port.
    package func shutdown() async {
        connections.interrupt()
        await connections.waitUntilClosed()
    }
}

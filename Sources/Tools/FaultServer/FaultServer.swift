import NIOCore
import NIOHTTP1
import NIOPosix

/// A web server on 127.0.0.1 that misbehaves as the URL asks: `/f/NAME?size=3M&drop=1M&dropfirst=10`.
///
/// `/f/NAME` is a file of deterministic bytes, `/raw` an answer spelled out in the URL, `/echo` the request as JSON, `/stats` the
/// log as JSON, `/reset` forgets. Two servers are two origins.
package final class FaultServer: Sendable {
    package let port: Int
    private let group: MultiThreadedEventLoopGroup
    private let listener: any Channel
    private let reception: ServerRecords

    private init(group: MultiThreadedEventLoopGroup, listener: any Channel, port: Int, reception: ServerRecords) {
        self.group = group
        self.listener = listener
        self.port = port
        self.reception = reception
    }

    /// - Parameter port: 0 for any free one.
    package static func start(port: Int = 0) async throws(FaultServerFailure) -> FaultServer {
        // One thread: the machine's cores belong to the program under test, and limits are exact without races.
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let reception = ServerRecords()
        let bootstrap = ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 1024)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(.writeBufferWaterMark, value: .init(low: 256 << 10, high: 512 << 10))
            // The plan of an upload is asked after each piece of at most 64 KiB how much to read next.
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let decoder = HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes)
                    try channel.pipeline.syncOperations.addHandler(ByteToMessageHandler(decoder))
                    try channel.pipeline.syncOperations.addHandler(ConnectionHandler(reception))
                }
            }
        do {
            let listener = try await bootstrap.bind(host: "127.0.0.1", port: port).get()
            let bound = listener.localAddress?.port ?? port
            return FaultServer(group: group, listener: listener, port: bound, reception: reception)
        } catch {
            try? await group.shutdownGracefully()
            throw .cannotListen(port: port, reason: "\(error)")
        }
    }

    /// Runs `body` with a server of its own, which is shut down afterwards.
    @discardableResult
    package static func serving<Outcome: Sendable>(
        _ body: (FaultServer) async throws -> Outcome
    ) async throws -> Outcome {
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
        return parts.map(Percent.encoded).joined(separator: "=")
    }

    /// Every request since the start or the last `forget()`, in order of arrival, without those for `/stats` and `/reset`.
    package var requests: [LoggedRequest] { reception.requests }

    /// The requests for one file, without those whose URL gave another `key`.
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

    /// The folders that clients have made below `/up`, each with its path from there.
    package var uploadFolders: [String] {
        reception.uploads.folders.map { String($0.dropFirst(UploadTree.root.count + 1)) }.filter { !$0.isEmpty }
            .sorted()
    }

    /// Empties the log, removes what was uploaded and starts every status sequence anew.
    package func forget() { reception.clear() }

    /// Returns when the server has been shut down.
    package func waitUntilClosed() async { try? await listener.closeFuture.get() }

    /// Closes every connection and frees the port.
    package func shutdown() async { try? await group.shutdownGracefully() }
}

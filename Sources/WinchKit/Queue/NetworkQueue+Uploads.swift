import Glibc
public import WinchModel
import WinchTransport

/// How a file is uploaded.
public struct UploadOptions: Hashable, Sendable {
    /// The HTTP method; FTP and SFTP have none.
    public enum Method: Hashable, Sendable {
        /// The body replaces what the URL names. Sent again after a failure.
        case put
        /// The body is handed to the URL. Sent again only when the server has refused it.
        case post
    }

    /// Without effect for FTP, SFTP and tus.
    public var method = Method.put
    /// The protocol tus 1.0, which resumes uploads over HTTP. Needs a file, or bytes.
    public var usesTus = false
    /// Missing folders at the server are created: WebDAV, FTP and SFTP.
    public var createsFolders = false
    /// The media type; `nil`: by the extension of the name.
    public var contentType: String?
    /// FTP and SFTP: sent under a temporary name, which is changed once all is there.
    public var usesTemporaryName = true

    /// The defaults.
    public init() {}
}

extension NetworkQueue {
    /// Uploads a file. The transfer fails when another upload of the queue, which is not settled, replaces the same file at the
    /// server.
    ///
    /// - Parameters:
    ///   - path: of the file. It is opened when the transfer starts; one that is missing then fails the transfer.
    ///   - url: a URL that ends in `/` names a folder, in which the file gets its own name.
    ///   - upload: method, protocol and type.
    ///   - options: logins, limits and retries; `nil`: the options of the queue's settings.
    ///   - startsPaused: the transfer waits for ``Transfer/resume()``.
    /// - Throws: ``NetworkQueueFailure/badURL(_:)``, ``NetworkQueueFailure/noUploadName``,
    ///   ``NetworkQueueFailure/closed``.
    @discardableResult
    public func upload(
        file path: String, to url: String, upload: UploadOptions = UploadOptions(), options: TransferSettings? = nil,
        startsPaused: Bool = false
    ) throws(NetworkQueueFailure) -> Transfer {
        var spec = try spec(.file(path), to: url, upload, options)
        spec.startsPaused = startsPaused
        spec.listedSize = spec.upload?.sizeOnDisk
        return Transfer(id: try take([spec]), spec: spec, queue: self)
    }

    /// Uploads bytes, which are copied.
    ///
    /// - Parameters:
    ///   - name: of the file at the server when the URL ends in `/`, and of the transfer.
    /// - Throws: as for a file; ``NetworkQueueFailure/cannotStart(_:)`` when there is no memory for the copy.
    @discardableResult
    public func upload(
        _ bytes: [UInt8], named name: String, to url: String, upload: UploadOptions = UploadOptions(),
        options: TransferSettings? = nil
    ) throws(NetworkQueueFailure) -> Transfer {
        let source = try OpenSource.holding(bytes, named: name)
        var spec = try spec(.open(source), to: url, upload, options)
        spec.listedSize = ByteCount(bytes: Int64(bytes.count))
        return Transfer(id: try take([spec]), spec: spec, queue: self)
    }

    /// Uploads what a sequence brings, in chunks over HTTP. The sequence is read only as fast as the server takes the bytes,
    /// and once: a body that must be sent again after its first MiB fails the transfer. An error of the sequence fails it too.
    ///
    /// - Parameters:
    ///   - name: as for bytes.
    /// - Throws: as for bytes.
    @discardableResult
    public func upload<Chunks: AsyncSequence & Sendable>(
        _ chunks: Chunks, named name: String, to url: String, upload: UploadOptions = UploadOptions(),
        options: TransferSettings? = nil
    ) throws(NetworkQueueFailure) -> Transfer where Chunks.Element == [UInt8] {
        let (source, writer) = try OpenSource.stream(named: name)
        let spec = try spec(.open(source), to: url, upload, options)
        let transfer = Transfer(id: try take([spec]), spec: spec, queue: self)
        Task.detached {
            do {
                for try await chunk in chunks { guard await writer.write(chunk) else { return } }
                writer.end()
            } catch {
                writer.fail("\(error)")
            }
        }
        return transfer
    }

    private func spec(
        _ content: UploadOrder.Content, to url: String, _ upload: UploadOptions, _ options: TransferSettings?
    ) throws(NetworkQueueFailure) -> TransferSpec {
        let given: TransferURL
        do throws(TransferURL.Fault) { given = try TransferURL(url) } catch { throw .badURL(error) }
        var order = UploadOrder(content, method: upload.method == .put ? .put : .post)
        order.httpProtocol = upload.usesTus ? .tus : .plain
        order.createsFolders = upload.createsFolders
        order.contentType = upload.contentType
        order.usesTemporaryName = upload.usesTemporaryName
        guard let target = order.target(given) else { throw .noUploadName }
        return TransferSpec(upload: order, to: target, settings: options.map(Shared.init) ?? settings.sharedOptions)
    }
}

extension OpenSource {
    /// A copy of the bytes in memory.
    static func holding(_ bytes: [UInt8], named name: String) throws(NetworkQueueFailure) -> OpenSource {
        guard let number = UploadMemory.open(bytes) else { throw .cannotStart(.other("out of memory")) }
        return OpenSource(descriptor: number, name: name) { close(number) }
    }

    /// A stream, and what writes to it.
    static func stream(named name: String) throws(NetworkQueueFailure) -> (OpenSource, StreamWriter) {
        var ends: [Int32] = [0, 0]
        // A socket, because writing to one whose reader has gone can be kept from raising a signal.
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw .cannotStart(.other("no socket for the stream"))
        }
        let (reading, writing) = (ends[0], ends[1])
        let source = OpenSource(descriptor: reading, name: name) { close(reading) }
        return (source, StreamWriter(writing, source))
    }
}

/// Writes a stream for an upload. Ends it, when it is released before.
final class StreamWriter: Sendable {
    private let descriptor: Int32
    /// Weak: the upload's end must end the writing.
    private let failed: @Sendable (String) -> Void

    /// How long a full socket is left to the reader.
    private static let pause = Duration.milliseconds(2)

    init(_ descriptor: Int32, _ source: OpenSource) {
        self.descriptor = descriptor
        failed = { [weak source] reason in source?.fail(reason) }
    }

    deinit { close(descriptor) }

    /// - Returns: false when the bytes are no longer wanted.
    func write(_ bytes: [UInt8]) async -> Bool {
        var position = 0
        while position < bytes.count {
            let count = bytes.withUnsafeBytes { bytes in
                send(
                    descriptor, bytes.baseAddress.map { $0 + position }, bytes.count - position,
                    Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
            }
            if count > 0 {
                position += count
            } else if count < 0, errno != EAGAIN, errno != EINTR {
                // What comes after these bytes is missing as well, unless the reader wants no more.
                if errno != EPIPE { failed(String(cString: strerror(errno))) }
                return false
            } else {
                try? await Task.sleep(for: Self.pause)
            }
        }
        return true
    }

    /// All bytes are written.
    func end() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// The bytes do not make the whole.
    func fail(_ reason: String) {
        failed(reason)
        end()
    }
}

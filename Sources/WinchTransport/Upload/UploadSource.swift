import Glibc
import WinchModel

/// Where the bytes of an upload come from: files and texts that can be read at any position, or a stream that is read once.
final class UploadSource {
    private enum Kind {
        case body(UploadBody)
        case pipe(PipeReader)
    }

    private var kind: Kind
    private let streams: OpenStreams
    /// Of a stream.
    private var key: OpenStreams.Key?
    let contentType: String
    private(set) var isAtEnd = false
    /// The stream has no bytes at present, and libcurl waits for some.
    private(set) var isAwaited = false

    /// - Parameter streams: of earlier attempts.
    init(
        _ order: UploadOrder, of id: TransferID, _ streams: OpenStreams, whenReadable: @escaping @Sendable () -> Void
    ) throws(TransferFailure) {
        self.streams = streams
        switch order.content {
        case .form(let fields):
            let body = try UploadBody(form: fields, boundary: Self.boundary())
            (kind, contentType) = (.body(body), body.contentType)
        case .folder(let path):
            let body = try UploadBody(folder: path, listed: order.listedParts)
            (kind, contentType) = (.body(body), body.contentType)
        case .file(let path):
            var named = stat()
            // What was listed was no FIFO.
            if order.listedParts == nil, stat(path.cBytes, &named) == 0, named.st_mode & S_IFMT == S_IFIFO {
                let pipe = streams.reader(.file(id), whenReadable: whenReadable) {
                    PipeReader(name: path, open: { Glibc.open(path.cBytes, O_RDONLY | O_CLOEXEC | O_NONBLOCK) })
                }
                (kind, key) = (.pipe(pipe), .file(id))
                contentType = order.contentType ?? "application/octet-stream"
                break
            }
            let (file, status) = try UploadBody.open(path, listed: order.listedParts)
            guard UnsizedFile.hasOtherSize(file.number, status) else {
                let body = try UploadBody(file, named: path, isAtPath: true, type: order.contentType)
                (kind, contentType) = (.body(body), body.contentType)
                break
            }
            // Its end is found by reading it.
            let pipe = streams.reader(.file(id), whenReadable: whenReadable) {
                PipeReader(
                    name: path,
                    open: { withExtendedLifetime(file) { fcntl(file.number, F_DUPFD_CLOEXEC, 0) } })
            }
            (kind, key) = (.pipe(pipe), .file(id))
            contentType = order.contentType ?? "application/octet-stream"
            // Files of /proc are small, and many servers take no body without a size.
            try pipe.spool()
        case .standardInput:
            key = .standardInput
            (kind, contentType) = try Self.open(0, "standard input", order, .standardInput, streams, whenReadable)
        case .open(let source):
            let key = OpenStreams.Key.open(ObjectIdentifier(source))
            self.key = key
            (kind, contentType) = try Self.open(
                source.descriptor, source.name, order, key, streams, whenReadable, fault: { source.failure })
        }
        // An earlier attempt may have the whole: this one goes on from what the server has, as with any file.
        if isSpooling { _ = try spool() }
    }

    private static func open(
        _ number: Int32, _ name: String, _ order: UploadOrder, _ key: OpenStreams.Key, _ streams: OpenStreams,
        _ whenReadable: @escaping @Sendable () -> Void,
        fault: @escaping @Sendable () -> String? = { nil }
    ) throws(TransferFailure) -> (Kind, String) {
        var status = stat()
        guard number >= 0, fstat(number, &status) == 0 else {
            throw number < 0
                ? .notRepeatable("it was given by a program that has ended")
                : .readWrite(name, reason: ErrnoFailure.words(errno))
        }
        // Before the server is asked for anything: a request whose body fails may leave an empty file there.
        guard fcntl(number, F_GETFL) & O_ACCMODE != O_WRONLY else {
            throw .readWrite(name, reason: "closed, or not open for reading")
        }
        if status.isFile, lseek(number, 0, SEEK_CUR) == 0,
            !UnsizedFile.hasOtherSize(number, status)
        {
            let copy = fcntl(number, F_DUPFD_CLOEXEC, 0)
            guard copy >= 0 else { throw .readWrite(name, reason: ErrnoFailure.words(errno)) }
            let body = try UploadBody(Descriptor(copy), named: name, type: order.contentType)
            return (.body(body), body.contentType)
        }
        let pipe = streams.reader(key, whenReadable: whenReadable) {
            PipeReader(name: name, open: { fcntl(number, F_DUPFD_CLOEXEC, 0) }, fault: fault)
        }
        return (.pipe(pipe), order.contentType ?? "application/octet-stream")
    }

    /// 128 random bits: no file has it.
    private static func boundary() -> String {
        "winch-" + String(UInt64.random(in: 0 ... .max), radix: 36) + String(UInt64.random(in: 0 ... .max), radix: 36)
    }

    /// In bytes; `nil`: it is known at the end.
    var size: Int64? {
        if case .body(let body) = kind { body.size } else { nil }
    }

    /// All of it can be read again, however much of it was read.
    var isRepeatable: Bool {
        if case .pipe(let pipe) = kind { pipe.isWhole } else { true }
    }

    /// The stream is being written to a file, because its size is needed.
    var isSpooling: Bool {
        if case .pipe(let pipe) = kind { pipe.isSpooling } else { false }
    }

    /// Begins to write the stream to a file, or goes on with it: then it can be sent from any position, as any file.
    ///
    /// - Returns: true when the whole is there.
    func spool() throws(TransferFailure) -> Bool {
        guard case .pipe(let pipe) = kind else { return true }
        // libcurl asks for no more bytes of the stream, and a request without a body reads nothing that would say so.
        isAwaited = false
        try pipe.spool()
        guard let file = try pipe.spooled() else { return false }
        kind = .body(try UploadBody(file, named: pipe.name, type: contentType))
        return true
    }

    /// `nil`: what is sent is not one file.
    var version: FileIdentity? {
        if case .body(let body) = kind { body.source } else { nil }
    }

    /// - Parameters:
    ///   - position: of a stream, where it stands.
    ///   - end: no byte at or beyond it is wanted.
    func read(at position: Int64, before end: Int64, into room: UnsafeMutableRawBufferPointer) -> PipeReader.Piece {
        switch kind {
        case .body(let body):
            do throws(TransferFailure) {
                let count = try body.read(at: position, before: end, into: room)
                isAtEnd = position + Int64(count) >= body.size
                return count > 0 ? .bytes(count) : .end
            } catch {
                return .failed(error)
            }
        case .pipe(let pipe):
            let piece = pipe.read(into: room)
            isAwaited = if case .notYet = piece { true } else { false }
            if case .end = piece { isAtEnd = true }
            return piece
        }
    }

    /// - Returns: false when the bytes from there on cannot be had again.
    func seek(to position: Int64) -> Bool {
        (isAtEnd, isAwaited) = (false, false)
        return switch kind {
        case .body: true
        case .pipe(let pipe): pipe.seek(to: position)
        }
    }

    /// - Returns: `nil` when they cannot be read.
    func bytes(_ range: Range<Int64>) -> [UInt8]? {
        if case .body(let body) = kind { body.bytes(range) } else { nil }
    }

    /// The attempt has ended: a stream that is written to a file is not read further before the next one.
    func rest() {
        if case .pipe(let pipe) = kind { pipe.rest() }
    }

    /// The upload is complete: nothing more is read.
    func finish() {
        if case .pipe(let pipe) = kind { pipe.stop() }
        if let key { streams.forget(key) }
    }
}

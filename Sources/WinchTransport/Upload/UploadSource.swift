import Glibc
import Hashing
import Synchronization
import WinchModel

/// Where the bytes of an upload come from: files and texts that can be read at any position, or a stream that is read once.
final class UploadSource {
    private enum Kind {
        case body(UploadBody)
        case pipe(PipeReader)
    }

    private var kind: Kind
    private let streams: OpenStreams
    private let whenReadable: @Sendable () -> Void
    /// Of a stream.
    private var key: OpenStreams.Key?
    let contentType: String
    private(set) var isAtEnd = false
    /// The stream has no bytes at present, or the files are being read again, and libcurl waits for bytes.
    private(set) var isAwaited = false
    /// Of files.
    private var given = ReadRanges()
    /// The hashes of the same ranges as they are read again, because of these files.
    private var comparison: (touched: [TouchedFile], hashes: [UploadHash])?
    /// The version of the only file after it was touched and found to have the bytes that were read.
    private(set) var comparedVersion: FileIdentity?

    /// - Throws: when a file cannot be opened.
    ///
    /// - Parameters:
    ///   - id: of the transfer.
    ///   - streams: of earlier attempts.
    ///   - whenReadable: called on another thread when a read that gave nothing yet may be tried again.
    init(
        _ order: UploadOrder, of id: TransferID, _ streams: OpenStreams, whenReadable: @escaping @Sendable () -> Void
    ) throws(TransferFailure) {
        (self.streams, self.whenReadable) = (streams, whenReadable)
        switch order.content {
        case .form(let fields):
            let body = try UploadBody(form: fields, boundary: Self.boundary())
            (kind, contentType) = (.body(body), body.contentType)
        case .file(let path):
            if Self.isReadOnce(path) {
                let pipe = streams.reader(.file(id), whenReadable: whenReadable) {
                    PipeReader(name: path, open: { Glibc.open(path.cBytes, O_RDONLY | O_CLOEXEC | O_NONBLOCK) })
                }
                (kind, key) = (.pipe(pipe), .file(id))
                contentType = order.contentType ?? "application/octet-stream"
                // Files of /proc are small, and many servers take no body without a size.
                if !Self.isFIFO(path) { try pipe.spool() }
            } else {
                let body = try UploadBody(file: path, type: order.contentType)
                (kind, contentType) = (.body(body), body.contentType)
            }
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
        if status.st_mode & S_IFMT == S_IFREG, lseek(number, 0, SEEK_CUR) == 0,
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

    /// A FIFO, or a file whose end is found by reading it.
    private static func isReadOnce(_ path: String) -> Bool {
        var status = stat()
        guard stat(path.cBytes, &status) == 0 else { return false }
        return isFIFO(path) || UnsizedFile.hasOtherSize(path, status)
    }

    private static func isFIFO(_ path: String) -> Bool {
        var status = stat()
        return stat(path.cBytes, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
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
        try pipe.spool()
        guard let file = try pipe.spooled() else { return false }
        kind = .body(try UploadBody(file, named: pipe.name, type: contentType))
        return true
    }

    /// `nil`: what is sent is not one file.
    var version: FileIdentity? {
        if case .body(let body) = kind { comparedVersion ?? body.source } else { nil }
    }

    /// - Parameters:
    ///   - position: of a stream, where it stands.
    ///   - end: no byte at or beyond it is wanted.
    func read(at position: Int64, before end: Int64, into room: UnsafeMutableRawBufferPointer) -> PipeReader.Piece {
        switch kind {
        case .body(let body):
            do throws(TransferFailure) {
                let count = try body.read(at: position, before: end, into: room)
                let bytes = UnsafeRawBufferPointer(rebasing: room.prefix(count))
                let isLast = position + Int64(count) >= body.size
                isAwaited = false
                if isLast, try !isAsRead(body, with: bytes, at: position) {
                    isAwaited = true
                    return .notYet
                }
                given.add(bytes, at: position)
                isAtEnd = isLast
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

    /// Reads the files again when one was touched, and compares their bytes with those that were given and with the last ones.
    ///
    /// - Returns: false while they are read, on other threads.
    /// - Throws: `.sourceChanged` when they are not the same.
    private func isAsRead(
        _ body: UploadBody, with last: UnsafeRawBufferPointer, at position: Int64
    ) throws(TransferFailure) -> Bool {
        let touched = try body.checkSources()
        guard let first = touched.first else { return true }
        var read = given
        read.add(last, at: position)
        let isWhole = read.isWhole(to: body.size)
        // What an earlier attempt sent cannot be compared. Other attributes explain the change.
        if !isWhole, let file = touched.first(where: { !$0.hasOtherAttributes }) { throw .sourceChanged(file.path) }
        // A file that is touched again meanwhile is read again.
        if comparison?.touched != touched {
            let hashes = read.all.map { UploadHash(ReadRanges.function, $0.range, of: self) }
            comparison = (touched, hashes)
            for hash in hashes { hash.start(whenDone: whenReadable) }
        }
        for (part, hash) in zip(read.all, comparison?.hashes ?? []) {
            guard let result = hash.result else { return false }
            // Where libcrypto refuses there is no digest.
            guard let digest = result, !digest.isEmpty, digest == part.hash.digest() else {
                throw .sourceChanged(first.path)
            }
        }
        if isWhole, body.source != nil { comparedVersion = first.version }
        return true
    }

    /// - Returns: false when the bytes from there on cannot be had again.
    func seek(to position: Int64) -> Bool {
        (isAtEnd, isAwaited, comparison) = (false, false, nil)
        return switch kind {
        case .body: true
        case .pipe(let pipe): pipe.seek(to: position)
        }
    }

    /// - Returns: `nil` when they cannot be read.
    func bytes(_ range: Range<Int64>) -> [UInt8]? { body?.bytes(range) }

    /// What can be read on any thread; `nil`: a stream.
    var body: UploadBody? {
        if case .body(let body) = kind { body } else { nil }
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

/// What an attempt has read of a body, with the hash of each range that was read in order.
private struct ReadRanges {
    static let function = HashFunction.sha256

    /// In the order of their positions.
    private(set) var all: [(range: Range<Int64>, hash: RunningHash)] = []

    mutating func add(_ bytes: UnsafeRawBufferPointer, at position: Int64) {
        guard !bytes.isEmpty else { return }
        if all.last?.range.upperBound != position {
            // It is read again from there to the end.
            all.removeAll { $0.range.lowerBound >= position }
            all.append((position..<position, RunningHash(Self.function)))
        }
        let index = all.count - 1
        all[index].hash.update(bytes)
        all[index].range = all[index].range.lowerBound..<position + Int64(bytes.count)
    }

    /// Every byte before the end was read.
    func isWhole(to end: Int64) -> Bool {
        var position: Int64 = 0
        for (range, _) in all where range.lowerBound <= position { position = max(position, range.upperBound) }
        return position >= end
    }
}

/// The hash of bytes of a source, made on a thread of its own: reading 16 MiB from a slow disk would hold up all transfers of
/// the loop.
final class UploadHash: Sendable {
    private let function: HashFunction
    private let range: Range<Int64>
    private let body: UploadBody?
    private let outcome = Mutex<[UInt8]??>(nil)

    init(_ function: HashFunction, _ range: Range<Int64>, of source: UploadSource) {
        (self.function, self.range, body) = (function, range, source.body)
    }

    /// `nil`: not made yet; in it `nil`: the bytes cannot be read.
    var result: [UInt8]?? { outcome.withLock(\.self) }

    /// The thread ends early when the last reference to this is gone.
    ///
    /// - Parameter whenDone: called on another thread.
    func start(whenDone: @escaping @Sendable () -> Void) {
        let (function, range, body) = (function, range, body)
        let run: @Sendable () -> Void = { [weak self] in
            let hash = UploadHash.make(function, range, of: body) { self }
            self?.outcome.withLock { $0 = .some(hash) }
            whenDone()
        }
        if !Threads.start(run) { run() }
    }

    /// - Parameter wanted: `nil` when the hash is of no use any more.
    private static func make(
        _ function: HashFunction, _ range: Range<Int64>, of body: UploadBody?, for wanted: () -> UploadHash?
    ) -> [UInt8]? {
        var hash = RunningHash(function)
        var position = range.lowerBound
        while position < range.upperBound {
            let end = min(range.upperBound, position + Int64(1 << 20))
            guard wanted() != nil, let bytes = body?.bytes(position..<end) else { return nil }
            hash.update(bytes)
            position = end
        }
        return hash.digest()
    }
}

import Glibc
import Synchronization
import WinchModel
import WinchSystem

/// Reads standard input, a FIFO or a program's stream on a thread of its own: the loop must not wait for the program that writes
/// there.
///
/// The first bytes are kept, so that the body can begin again when a server asks for a login, or says before it has read much
/// that it wants another request.
final class PipeReader: Sendable {
    enum Piece {
        case bytes(Int)
        case notYet
        case end
        case failed(TransferFailure)
    }

    private struct State {
        /// Bytes from `start` of the stream on.
        var bytes: [UInt8] = []
        var start: Int64 = 0
        /// Where the next piece begins.
        var position: Int64 = 0
        var isEnded = false
        var failure: TransferFailure?
        var isStopped = false
        /// The loop waits for bytes.
        var isAwaited = false
        /// Gets all bytes of the stream; `nil`: they are kept in memory.
        var spool: Descriptor?
        /// No attempt wants the bytes at present.
        var isResting = false

        var end: Int64 { start + Int64(bytes.count) }

        /// Nothing may be read at present: neither memory nor the disk is filled for an upload that was paused or cancelled.
        var mustWait: Bool { !isStopped && (spool == nil ? end - position >= PipeReader.most : isResting) }
    }

    private let state = Mutex(State())
    let name: String
    private let fault: @Sendable () -> String?
    private let whenReadable = Mutex<@Sendable () -> Void>({})
    /// Woken when the thread may go on reading, or is to end; `nil` for want of descriptors: it looks five times a second.
    private let wakePort: WakePort?

    /// 1 MiB: so much is read ahead, and so many of the first bytes are kept.
    static let most: Int64 = 1 << 20

    /// - Parameters:
    ///   - open: gives the descriptor, on the reader's thread, and does not wait for a writer. Negative: errno.
    ///   - name: for messages.
    ///   - fault: asked at the end: why the bytes do not make the whole.
    init(
        name: String, open: @escaping @Sendable () -> Int32, fault: @escaping @Sendable () -> String? = { nil }
    ) {
        (self.name, self.fault) = (name, fault)
        let wakePort = try? WakePort { TransferFailure.other(ErrnoFailure.words($0)) }
        self.wakePort = wakePort
        let isStarted = Threads.start { [weak self] in
            let number = open()
            guard number >= 0 else {
                self?.end(failure: .readWrite(name, reason: ErrnoFailure.words(errno)))
                return
            }
            PipeReader.fill({ self }, from: number, wakePort)
            close(number)
        }
        if !isStarted { end(failure: .other("cannot create a thread")) }
    }

    deinit { wakePort?.wake() }

    /// Reads until the stream ends, or the reader is stopped or gone.
    private static func fill(_ reader: () -> PipeReader?, from number: Int32, _ wakePort: WakePort?) {
        var buffer = [UInt8](repeating: 0, count: 256 << 10)
        while true {
            guard let state = reader()?.state.withLock({ ($0.isStopped, $0.mustWait) }), !state.0 else { return }
            // The reader may be gone when this returns.
            guard hasMore(in: state.1 ? nil : number, wakePort) else { continue }
            guard let reader = reader(), !reader.state.withLock({ $0.isStopped || $0.mustWait }) else { continue }
            let count = Glibc.read(number, &buffer, buffer.count)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count > 0 else {
                let reason = count == 0 ? reader.fault() : ErrnoFailure.words(errno)
                return reader.end(failure: reason.map { .readWrite(reader.name, reason: $0) })
            }
            guard reader.add(buffer[..<count]) else { return }
        }
    }

    /// Waits until the stream has bytes or the thread is woken.
    ///
    /// - Parameter stream: `nil`: no bytes are waited for.
    /// - Returns: true when the stream has bytes or has ended.
    private static func hasMore(in stream: Int32?, _ wakePort: WakePort?) -> Bool {
        // A negative number is left out.
        var polls = [wakePort?.descriptor, stream].map { pollfd(fd: $0 ?? -1, events: Int16(POLLIN), revents: 0) }
        guard poll(&polls, 2, wakePort == nil ? 200 : -1) > 0 else { return false }
        if polls[0].revents != 0 { wakePort?.drain() }
        return polls[1].revents != 0
    }

    /// - Returns: false when there is no room for them.
    private func add(_ bytes: ArraySlice<UInt8>) -> Bool {
        let (isAwaited, spool) = state.withLock { state in
            if state.spool == nil, !state.isStopped { state.bytes += bytes }
            defer { state.isAwaited = false }
            return (state.isAwaited, state.spool)
        }
        if let spool, !Self.write(bytes, to: spool) {
            end(failure: .readWrite(name, reason: Self.spoolWords(errno)))
            return false
        }
        if isAwaited { whenReadable.withLock(\.self)() }
        return true
    }

    private func end(failure: TransferFailure?) {
        state.withLock { ($0.isEnded, $0.failure) = (true, failure) }
        whenReadable.withLock(\.self)()
    }

    /// - Parameter whenReadable: called on the reader's thread when bytes have come that `read` was asked for in vain.
    func notify(_ whenReadable: @escaping @Sendable () -> Void) { self.whenReadable.withLock { $0 = whenReadable } }

    /// Nothing more is wanted: the descriptor is closed, and a program that goes on writing gets EPIPE.
    func stop() {
        state.withLock { $0.isStopped = true }
        wakePort?.wake()
    }

    /// Stops, and lets no other attempt begin with what is left of the stream.
    func abandon() {
        // What has ended is here whole, as far as it was not forgotten.
        state.withLock { state in
            guard !state.isEnded else { return }
            (state.bytes, state.start, state.position) = ([], .max, .max)
            state.failure = .notRepeatable("a part of it was read already")
            // At once: the thread adds nothing to it any more.
            state.isStopped = true
        }
        stop()
    }

    func read(into room: UnsafeMutableRawBufferPointer) -> Piece {
        let piece: Piece = state.withLock { state in
            let offset = Int(state.position - state.start)
            let count = min(room.count, state.bytes.count - offset)
            guard count > 0 else {
                if let failure = state.failure { return .failed(failure) }
                state.isAwaited = true
                return state.isEnded ? .end : .notYet
            }
            state.bytes.withUnsafeBytes {
                room.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[offset..<offset + count]))
            }
            state.position += Int64(count)
            // What is beyond the first bytes is not kept.
            if state.position > Self.most {
                state.bytes.removeFirst(Int(state.position - state.start))
                state.start = state.position
            }
            return .bytes(count)
        }
        if case .bytes = piece { wakePort?.wake() }
        return piece
    }

    /// The stream has ended, and is so short that all of it is kept.
    var isWhole: Bool {
        state.withLock { $0.isEnded && $0.failure == nil && $0.start == 0 && $0.end <= Self.most }
    }

    /// - Returns: false when the bytes from there on are gone.
    func seek(to position: Int64) -> Bool {
        state.withLock { state in
            guard position >= state.start, position <= state.end else { return false }
            state.position = position
            return true
        }
    }
}

// MARK: - The whole stream on the disk

extension PipeReader {
    /// From now on the bytes go to a file without a name: the server must know how many there are before it gets the first.
    ///
    /// - Throws: when the first bytes are gone, or the file cannot be made.
    func spool() throws(TransferFailure) {
        let failure: TransferFailure? = state.withLock { state in
            state.isResting = false
            guard state.spool == nil else { return nil }
            guard state.start == 0 else { return .notRepeatable("a part of it was sent already") }
            guard let file = TemporaryFiles.openUnnamed(in: Self.folder), Self.write(state.bytes[...], to: file) else {
                return .readWrite(name, reason: Self.spoolWords(errno))
            }
            (state.spool, state.bytes, state.position) = (file, [], 0)
            return nil
        }
        wakePort?.wake()
        if let failure { throw failure }
    }

    /// The bytes are not wanted before `spool` is called again.
    func rest() { state.withLock { $0.isResting = true } }

    var isSpooling: Bool { state.withLock { $0.spool != nil } }

    /// The file with the whole stream; `nil`: the stream has not ended yet.
    ///
    /// - Throws: when the stream could not be read, or the disk has no room for it.
    func spooled() throws(TransferFailure) -> Descriptor? {
        let (file, failure) = state.withLock { ($0.isEnded ? $0.spool : nil, $0.failure) }
        if let failure { throw failure }
        return file
    }

    /// Where `/tmp` is in memory, a large stream would not fit.
    private static var folder: String { TemporaryFiles.place(else: "/var/tmp") }

    private static func spoolWords(_ number: Int32) -> String {
        "cannot be kept in \(folder) until its length is known: \(ErrnoFailure.words(number)); TMPDIR names another folder"
    }

    /// - Returns: false with `errno` when they cannot be written.
    private static func write(_ bytes: ArraySlice<UInt8>, to file: Descriptor) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var count = 0
            while count < bytes.count {
                let rest = UnsafeRawBufferPointer(rebasing: bytes[count...])
                let written = Glibc.write(file.number, rest.baseAddress, rest.count)
                if written < 0, errno == EINTR { continue }
                guard written > 0 else { return false }
                count += written
            }
            return true
        }
    }
}

/// The streams that uploads read, by what they are: another attempt goes on with the reader of the one before, because what was
/// read cannot be had from the stream again. Shared by the threads of a transport.
final class OpenStreams: Sendable {
    enum Key: Hashable {
        case standardInput
        /// Given by a program that uses the library.
        case open(ObjectIdentifier)
        /// A FIFO, which each transfer opens for itself.
        case file(TransferID)
    }

    private let readers = Mutex<[Key: PipeReader]>([:])

    /// - Parameter whenReadable: called in place of that of the attempt before.
    func reader(
        _ key: Key, whenReadable: @escaping @Sendable () -> Void, make: () -> PipeReader
    ) -> PipeReader {
        let reader = readers.withLock { readers in
            let reader = readers[key] ?? make()
            readers[key] = reader
            return reader
        }
        reader.notify(whenReadable)
        return reader
    }

    func forget(_ key: Key) { readers.withLock { $0[key] = nil } }

    /// The upload has failed for good or was cancelled: the thread of its reader ends, and the program that writes gets EPIPE.
    func abandon(_ order: UploadOrder, of id: TransferID) {
        switch order.content {
        case .form, .folder: break
        // Another attempt opens the FIFO again.
        case .file: readers.withLock { $0.removeValue(forKey: .file(id)) }?.stop()
        // There is one, and what was read of it is gone.
        case .standardInput: readers.withLock { $0[.standardInput] }?.abandon()
        case .open(let source):
            let reader = readers.withLock { $0.removeValue(forKey: .open(ObjectIdentifier(source))) }
            guard let reader else { return }
            reader.stop()
            source.fail("a part of it was read already")
        }
    }
}

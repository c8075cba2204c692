import Glibc
import Synchronization
import WinchModel

/// Reads standard input, a FIFO or a program's stream on a thread of its own: the loop must not wait for the program that writes
/// there.
///
/// The first bytes are kept, so that the body can begin again when a server asks for a login, or says before it has read much
/// that it wants another request.
final class PipeReader: Sendable {
    /// What can be had at present.
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

        var end: Int64 { start + Int64(bytes.count) }
    }

    private let state = Mutex(State())
    private let name: String
    private let fault: @Sendable () -> String?
    private let whenReadable = Mutex<@Sendable () -> Void>({})
    /// Ends the thread's read when its bytes are not wanted any more.
    private let hasRoom = Doorbell()

    /// 1 MiB: so much is read ahead, and so many of the first bytes are kept.
    static let most: Int64 = 1 << 20

    /// - Parameters:
    ///   - open: gives the descriptor, on the reader's thread: to open a FIFO may take long. Negative: errno.
    ///   - name: for messages.
    ///   - fault: asked at the end: why the bytes do not make the whole.
    init(
        name: String, open: @escaping @Sendable () -> Int32, fault: @escaping @Sendable () -> String? = { nil }
    ) {
        (self.name, self.fault) = (name, fault)
        let isStarted = Threads.start { [weak self] in
            let number = open()
            guard number >= 0 else {
                self?.end(failure: .readWrite(name, reason: ErrnoFailure.words(errno)))
                return
            }
            PipeReader.fill({ self }, from: number)
            close(number)
        }
        if !isStarted { end(failure: .other("cannot create a thread")) }
    }

    private static func fill(_ reader: () -> PipeReader?, from number: Int32) {
        var buffer = [UInt8](repeating: 0, count: 256 << 10)
        while true {
            var poll = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
            // The reader may be gone meanwhile.
            let isReady = Glibc.poll(&poll, 1, 500)
            guard let reader = reader(), !reader.state.withLock({ $0.isStopped }) else { return }
            guard isReady > 0 else { continue }
            let count = Glibc.read(number, &buffer, buffer.count)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count > 0 else {
                let reason = count == 0 ? reader.fault() : ErrnoFailure.words(errno)
                return reader.end(failure: reason.map { .readWrite(reader.name, reason: $0) })
            }
            reader.add(buffer[..<count])
        }
    }

    private func add(_ bytes: ArraySlice<UInt8>) {
        let isAwaited = state.withLock { state in
            state.bytes += bytes
            defer { state.isAwaited = false }
            return state.isAwaited
        }
        if isAwaited { whenReadable.withLock(\.self)() }
        while state.withLock({ $0.end - $0.position >= Self.most && !$0.isStopped }) { hasRoom.wait(milliseconds: 200) }
    }

    private func end(failure: TransferFailure?) {
        state.withLock { ($0.isEnded, $0.failure) = (true, failure) }
        whenReadable.withLock(\.self)()
    }

    /// - Parameter whenReadable: called on the reader's thread when bytes have come that `read` was asked for in vain.
    func notify(_ whenReadable: @escaping @Sendable () -> Void) { self.whenReadable.withLock { $0 = whenReadable } }

    /// Nothing more is wanted.
    func stop() {
        state.withLock { $0.isStopped = true }
        hasRoom.signal()
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
        if case .bytes = piece { hasRoom.signal() }
        return piece
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

/// Wakes a thread that waits for room.
private final class Doorbell: @unchecked Sendable {
    // Guard: POSIX semaphores may be used from all threads.
    private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init() { sem_init(semaphore, 0, 0) }
    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    func signal() { sem_post(semaphore) }

    func wait(milliseconds: Int) {
        var deadline = timespec()
        clock_gettime(CLOCK_REALTIME, &deadline)
        deadline.tv_nsec += milliseconds * 1_000_000
        deadline.tv_sec += deadline.tv_nsec / 1_000_000_000
        deadline.tv_nsec %= 1_000_000_000
        sem_timedwait(semaphore, &deadline)
    }
}

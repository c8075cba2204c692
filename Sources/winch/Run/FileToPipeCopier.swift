import Dispatch
import Glibc
import Synchronization
import WinchModel

/// Copies a file to standard output while it is being downloaded. Runs on a thread of its own, so that a slow reader delays
/// nothing else.
final class FileToPipeCopier: Sendable {
    enum Failure: Hashable {
        /// The errno of writing, or of reading the file.
        case system(Int32)
        /// The download started again from zero after so many bytes had been written.
        case takenBack(written: Int64)
    }

    private let paths: [String]
    private let output: Int32
    private let work = DispatchSemaphore(value: 0)
    private let state = Mutex(State())

    private struct State {
        /// Bytes in the file that may be written.
        var have: Int64 = 0
        /// Bytes that are written, or wait for the reader.
        var written: Int64 = 0
        var isComplete = false
        var failure: Failure?
        var waiter: CheckedContinuation<Void, Never>?
        var isOver = false
    }

    /// 256 KiB, in bytes: a few writes for each of ten updates a second.
    private static let block = 256 << 10

    /// - Parameters:
    ///   - paths: the path of the part file, then that of the complete file.
    ///   - output: the descriptor to write to.
    init(paths: [String], output: Int32 = 1) { (self.paths, self.output) = (paths, output) }

    /// - Parameter onEnd: called once, on the pipe's thread, before `finish` returns: all bytes have been written, or why not.
    func start(onEnd: @escaping @Sendable (Failure?) -> Void) {
        DispatchQueue(label: "winch.output").async {
            self.run()
            onEnd(self.failure)
            let waiter = self.state.withLock { state in
                state.isOver = true
                return state.waiter.take()
            }
            waiter?.resume()
        }
    }

    /// Reports that the first `have` bytes are in the file.
    func advance(to have: Int64) {
        state.withLock { $0.have = max($0.have, have) }
        work.signal()
    }

    /// Reports that the download continues at a lower position.
    func restart(at have: Int64) {
        state.withLock { state in
            // Another position than zero is no failure: a resumed download requests its last bytes again and compares them.
            if have == 0, state.written > 0 { state.failure = state.failure ?? .takenBack(written: state.written) }
            state.have = have
        }
        work.signal()
    }

    func complete() {
        state.withLock { $0.isComplete = true }
        work.signal()
    }

    /// Returns when all bytes of the file have been written, or writing has failed.
    func finish() async {
        complete()
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if !state.isOver { state.waiter = continuation }
                return state.isOver
            }
            if isOver { continuation.resume() }
        }
    }

    var failure: Failure? { state.withLock { $0.failure } }

    private func run() {
        var descriptor: Int32 = -1
        while true {
            let (have, written, isDone) = state.withLock { state in
                (state.have, state.written, state.failure != nil || state.isComplete && state.written >= state.have)
            }
            if isDone { break }
            guard written < have else {
                work.wait()
                continue
            }
            if descriptor < 0, let found = opened() { descriptor = found }
            guard descriptor >= 0 else {
                // A small file gets a name only when it is complete.
                work.wait()
                continue
            }
            let count = copy(from: descriptor, at: written, atMost: have - written)
            // The file has become shorter; the queue will report it by `restart`.
            if count == 0 { work.wait() }
        }
        if descriptor >= 0 { close(descriptor) }
    }

    /// - Returns: `nil` when the file cannot be opened; it may have no name yet.
    private func opened() -> Int32? {
        let mustExist = state.withLock { $0.isComplete }
        for path in paths {
            let descriptor = open(path.cBytes, O_RDONLY | O_CLOEXEC)
            if descriptor >= 0 { return descriptor }
            if errno != ENOENT { break }
        }
        let code = errno
        if mustExist || code != ENOENT {
            fail(code)
            // The thread is about to wait for work; without this signal it would not see the failure.
            work.signal()
        }
        return nil
    }

    /// - Returns: the number of bytes copied; 0 at the end of the file, or when they are not current any more, -1 after a failure.
    private func copy(from descriptor: Int32, at offset: Int64, atMost most: Int64) -> Int {
        var block = [UInt8](repeating: 0, count: Int(min(most, Int64(Self.block))))
        let count = pread(descriptor, &block, block.count, off_t(offset))
        guard count >= 0 else {
            fail(errno)
            return -1
        }
        // Before they are written: a reader that is slow may have some of them when the download begins again.
        let areCurrent = state.withLock { state in
            guard offset + Int64(count) <= state.have else { return false }
            state.written += Int64(count)
            return true
        }
        guard areCurrent else { return 0 }
        var rest = block[..<count]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes { write(output, $0.baseAddress, $0.count) }
            if sent > 0 {
                rest = rest.dropFirst(sent)
            } else if errno == EAGAIN {
                var entry = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
                poll(&entry, 1, 1000)
            } else if errno != EINTR {
                fail(errno)
                return -1
            }
        }
        return count
    }

    private func fail(_ code: Int32) { state.withLock { $0.failure = $0.failure ?? .system(code) } }
}

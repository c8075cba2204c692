import CSession
import Glibc
import Synchronization
import WinchSystem

/// The listening socket of a server and the threads of its connections.
///
/// A descriptor is closed under the lock and by its own thread alone: `interrupt` never reaches one that is used again.
final class ServerConnections: Sendable {
    private struct State {
        var open: Set<Int32> = []
        var awaitingEnd: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    /// Accepts connections until `interrupt`.
    ///
    /// - Parameter listener: a listening socket, which is closed at the end.
    init(listener: Int32, records: ServerRecords) {
        state = Mutex(State(open: [listener]))
        start(closing: listener) { [self] in accept(from: listener, records) }
    }

    /// Makes every thread leave its connection.
    func interrupt() {
        state.withLock { for descriptor in $0.open { ConnectionSocket(descriptor).interrupt() } }
    }

    /// Returns when no thread is left.
    func waitUntilClosed() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if !state.open.isEmpty { state.awaitingEnd.append(continuation) }
                return state.open.isEmpty
            }
            if isOver { continuation.resume() }
        }
    }

    private func accept(from listener: Int32, _ records: ServerRecords) {
        while true {
            let descriptor = winch_local_accept(listener)
            if descriptor >= 0 {
                _ = fcntl(descriptor, F_SETFL, 0)
                state.withLock { _ = $0.open.insert(descriptor) }
                start(closing: descriptor) {
                    ConnectionHandler(socket: ConnectionSocket(descriptor), records: records).serve()
                }
            } else if errno == EINVAL {
                // The socket was shut down.
                return
            } else {
                // A lack of descriptors passes, and so does a client that has gone already.
                usleep(1000)
            }
        }
    }

    private func start(closing descriptor: Int32, _ body: @escaping @Sendable () -> Void) {
        let isStarted = Threads.start { [self] in
            body()
            close(descriptor)
        }
        if !isStarted { close(descriptor) }
    }

    private func close(_ descriptor: Int32) {
        let waiting = state.withLock { state in
            Glibc.close(descriptor)
            state.open.remove(descriptor)
            guard state.open.isEmpty else { return [CheckedContinuation<Void, Never>]() }
            defer { state.awaitingEnd = [] }
            return state.awaitingEnd
        }
        for continuation in waiting { continuation.resume() }
    }
}

/// One connection: reads requests and answers them one after another, on a thread of its own.
///
/// Answers are written as bytes, without an HTTP encoder: an encoder would correct the intended faults.
struct ConnectionHandler {
    let socket: ConnectionSocket
    let records: ServerRecords

    func serve() {
        records.connected()
        // Bytes that are no HTTP, or a client that has disconnected: the connection is closed without an answer.
        try? answerAll()
        records.disconnected()
    }

    private func answerAll() throws {
        var reader = RequestReader(socket)
        while let request = try reader.nextHead() {
            let ending: ResponsePlan.Ending
            if RequestTarget(request.target).uploadPath != nil {
                let admission = records.uploads.admit(request)
                var body = UploadBodyReader(admission, site: records.uploads, socket: socket)
                ending = try body.receive(from: &reader)
            } else {
                while !reader.isAtEnd { _ = try reader.nextBody(most: 64 << 10) }
                ending = try answer(request)
                if ending == .close { socket.dropArrived() }
            }
            switch ending {
            case .keepAlive: break
            case .hold, .close: return
            case .reset:
                socket.resetAtClose()
                return
            }
        }
    }

    private func answer(_ request: ReceivedRequest) throws -> ResponsePlan.Ending {
        var admission = records.admit(request)
        var writer = ResponseWriter(admission.plan, socket: socket)
        defer {
            admission.makeRoom(in: records)
            records.finished(admission, bodyBytes: writer.bodyBytes)
        }
        try writer.send { admission.makeRoom(in: records) }
        if admission.plan.ending == .hold { try socket.sleep(nil) }
        return admission.plan.ending
    }
}

import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing
import WinchTransport

@testable import WinchModel

@Suite(.timeLimit(.minutes(5))) struct `The receive buffer of a transfer with a limit` {
    @Test func `takes little more from the server than the limit allows`() async throws {
        let server = try PacedServer(size: 1_200_000, perSecond: 300_000)
        let rig = try Rig()
        try rig.start(server.url, rate: ByteRate(perSecond: 20_000))
        let events = await rig.events { $0.position ?? 0 >= 50_000 || $0.endsAttempt }
        expectNil(events.failure)
        // Behind those that the limit allows are 64 KiB in the socket, as many in libcurl, and those in the server's socket.
        expectLess(server.sent, than: 400_000)
        rig.transport.limit(ConnectionID(transfer: TransferID(1)), to: nil)
        await expectEqual(rig.settled().saved, "f")
    }
}

/// Sends one client a file at a rate, with a send buffer so small that the count says what the client's side has taken.
private final class PacedServer: Sendable {
    /// `http://127.0.0.1:PORT/f`.
    let url: String
    private let listener: Int32
    private let count = Mutex(0)

    /// Bytes of the file that the system has taken.
    var sent: Int { count.withLock { $0 } }

    init(size: Int, perSecond: Int) throws {
        let own = try LoopbackListener(sendBuffer: 32 << 10)
        let listener = own.socket
        self.listener = listener
        url = "http://127.0.0.1:\(own.port)/f"
        Thread.detachNewThread { [weak self] in
            let client = accept(listener, nil, nil)
            guard client >= 0 else { return }
            defer { close(client) }
            var request = [UInt8](repeating: 0, count: 4096)
            _ = recv(client, &request, request.count, 0)
            let head = Array("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n".utf8)
            send(client, head, head.count, Int32(MSG_NOSIGNAL))
            let began = ContinuousClock.now
            var left = size
            while left > 0, let server = self {
                let step = [UInt8](repeating: 0, count: min(left, perSecond / 40))
                let taken = send(client, step, step.count, Int32(MSG_NOSIGNAL))
                guard taken > 0 else { return }
                left -= taken
                server.count.withLock { $0 += taken }
                let due = began + .seconds(Double(size - left) / Double(perSecond))
                Thread.sleep(forTimeInterval: max(0, ContinuousClock.now.duration(to: due) / .seconds(1)))
            }
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }
}

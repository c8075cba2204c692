import Glibc
import NIOCore
import NIOPosix

/// Ends a connection with RST, but only after the client's kernel has every byte sent before it.
///
/// A RST discards what is still in the send buffer: without the wait `drop=N&reset` would deliver anything from 0 to N
/// bytes.
struct ResetClose {
    private let channel: any Channel
    private let deadline = NIODeadline.now() + .seconds(2)

    init(_ channel: any Channel) { self.channel = channel }

    func begin() {
        guard channel.isActive else { return }
        guard unacknowledged == 0 || NIODeadline.now() >= deadline else {
            channel.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(1)) { begin() }
            return
        }
        // With SO_LINGER on and a time of 0, close sends RST.
        if let options = channel as? any SocketOptionProvider {
            _ = options.setSoLinger(linger(l_onoff: 1, l_linger: 0))
        }
        channel.close(promise: nil)
    }

    /// Bytes in the send buffer the other side has not acknowledged.
    private var unacknowledged: Int32 {
        let count = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) {
            socket in
            var count: Int32 = 0
            return ioctl(socket, UInt(TIOCOUTQ), &count) == 0 ? count : 0
        }
        return count ?? 0
    }
}

import Foundation
import Glibc

/// A socket that listens at a port of 127.0.0.1 which the system chooses.
struct LoopbackListener {
    let socket: Int32
    let port: UInt16

    /// - Parameter sendBuffer: bytes that the system takes for a connection before the other side has read them, about; `nil`: as
    ///   many as it wants.
    init(sendBuffer: Int32? = nil) throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        if var room = sendBuffer {
            setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &room, socklen_t(MemoryLayout<Int32>.size))
        }
        let listener = socket
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isOpen = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, length) == 0 && listen(listener, 8) == 0
                    && getsockname(listener, address, &length) == 0
            }
        }
        guard isOpen else { throw POSIXError(.EADDRNOTAVAIL) }
        port = UInt16(bigEndian: address.sin_port)
    }

    /// Serves each connection on a thread of its own, until the socket is shut down.
    func serve(_ serve: @escaping @Sendable (_ client: Int32) -> Void) {
        let listener = socket
        Thread.detachNewThread {
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0 else {
                    // Closed here: another server may get its number at once, and this thread must not accept for it.
                    close(listener)
                    return
                }
                // The client may leave a connection open whose reply has not come.
                Thread.detachNewThread {
                    serve(client)
                    close(client)
                }
            }
        }
    }
}

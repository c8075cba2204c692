import CSession
import Glibc

/// A descriptor that is closed with its last reference.
package final class OpenFile: Sendable {
    package let number: Int32

    package init(_ number: Int32) { self.number = number }

    deinit { close(number) }

    /// Reading and writing return at once from now on.
    package func setNonBlocking() { _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK) }
}

enum UnixSocket {
    static func make() throws(SessionFailure) -> OpenFile {
        let number = winch_local_socket()
        guard number >= 0 else { throw .system(path: "socket", reason: String(cString: strerror(errno))) }
        return OpenFile(number)
    }

    /// Calls `body` with the address of a socket in an open folder: an address has room for 108 bytes, whatever the length of the
    /// folder's path.
    static func withAddress(
        of folder: Int32, _ name: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: "/proc/self/fd/\(folder)/\(name)".utf8) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    /// The process at the other end belongs to this user, or to root.
    static func isTrusted(_ socket: Int32) -> Bool {
        var user = uid_t()
        return winch_local_peer(socket, &user) == 0 && (user == geteuid() || user == 0)
    }

    static func accept(from listener: Int32) -> OpenFile? {
        let number = winch_local_accept(listener)
        return number >= 0 ? OpenFile(number) : nil
    }
}

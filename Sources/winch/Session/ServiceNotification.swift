import Glibc

/// Tells the service manager, as systemd does it for services of `Type=notify`, what a session is doing.
///
/// - Source: sd_notify(3): a datagram to the socket that the variable NOTIFY_SOCKET names.
enum ServiceNotification {
    enum State: String {
        case ready = "READY=1"
        case stopping = "STOPPING=1"
    }

    /// Does nothing where no service manager waits for it.
    static func tell(_ state: State) {
        guard let variable = getenv("NOTIFY_SOCKET") else { return }
        var name = Array(String(cString: variable).utf8)
        var address = sockaddr_un()
        guard let first = name.first, name.count < MemoryLayout.size(ofValue: address.sun_path),
            first == UInt8(ascii: "/") || first == UInt8(ascii: "@")
        else { return }
        // A name that begins with @ is none of the file system.
        if first == UInt8(ascii: "@") { name[0] = 0 }
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        let socket = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { return }
        defer { close(socket) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
        let message = Array(state.rawValue.utf8)
        _ = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(socket, message, message.count, Int32(MSG_NOSIGNAL), $0, length)
            }
        }
    }
}

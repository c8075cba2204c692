import Glibc
import WinchModel

/// The text of a systemd user unit that runs a session.
struct SystemdUnit {
    let program: String
    /// Of `winch serve`.
    let arguments: [String]
    let folder: String
    /// The name of the session; `nil`: the usual one.
    let session: String?

    var text: String {
        let name = session.map { "winch-\($0)" } ?? "winch"
        let start = ["serve", "--foreground"] + arguments
        // `env -C` takes a folder as a word, which may be escaped, where the value of a setting may not.
        let words = isFolderPlain ? start : ["-C", folder, program] + start
        let first = isFolderPlain ? program : "/usr/bin/env"
        let line = ([Self.quoted(first, isProgram: true)] + words.map { Self.quoted($0) }).joined(separator: " ")
        return """
            # Save this as ~/.config/systemd/user/\(name).service, then run
            #   systemctl --user daemon-reload
            #   systemctl --user enable --now \(name)
            # The session starts when you log in and ends when you log out. For one that stays, run once:
            #   loginctl enable-linger
            [Unit]
            Description=Winch: transfers that go on without a terminal

            [Service]
            Type=notify
            \(isFolderPlain ? "WorkingDirectory=\(folder.replacing("%", with: "%%"))" : "# The folder is in the command line.")
            ExecStart=\(line)
            # Partial files are kept, and the next start resumes them.
            TimeoutStopSec=10
            Restart=on-failure
            RestartSec=5

            [Install]
            WantedBy=default.target

            """
    }

    /// It can be written as it is: a unit is UTF-8, and a line ends with a line end, or goes on after a backslash.
    private var isFolderPlain: Bool {
        let bytes = folder.systemBytes
        guard let last = bytes.last, String(validating: bytes, as: UTF8.self) != nil else { return false }
        return !bytes.contains { $0 < 0x20 || $0 == 0x7F } && last != 0x20 && last != UInt8(ascii: "\\")
    }

    /// One word of a command line in a unit.
    ///
    /// - Parameter isProgram: the first word, in which no variables are replaced.
    /// - Source: systemd.service(5), "Command lines", systemd.unit(5), "Specifiers", and systemd.syntax(7), "Quoting".
    private static func quoted(_ word: String, isProgram: Bool = false) -> String {
        let bytes = word.systemBytes
        let isUTF8 = String(validating: bytes, as: UTF8.self) != nil
        var safe: [UInt8] = []
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "\\"), UInt8(ascii: "\""): safe += [UInt8(ascii: "\\"), byte]
            case UInt8(ascii: "%"): safe += [byte, byte]
            case UInt8(ascii: "$") where !isProgram: safe += [byte, byte]
            case 0x20..<0x7F: safe.append(byte)
            case 0x80... where isUTF8: safe.append(byte)
            default: safe += Array("\\x\(Hex.encoded([byte]))".utf8)
            }
        }
        let text = String(decoding: safe, as: UTF8.self)
        let isPlain = !bytes.isEmpty && !safe.contains { " \"'\\;".utf8.contains($0) }
        return isPlain ? text : "\"\(text)\""
    }
}

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

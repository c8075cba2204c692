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

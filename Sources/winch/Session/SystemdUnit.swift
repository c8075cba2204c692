/// The text of a systemd user unit that runs a session.
struct SystemdUnit {
    /// The path of winch.
    let program: String
    /// Of `winch serve`.
    let arguments: [String]
    /// The working folder of the session.
    let folder: String
    /// The name of the session; `nil`: the usual one.
    let session: String?

    var text: String {
        let name = session.map { "winch-\($0)" } ?? "winch"
        let words = ([program, "serve", "--foreground"] + arguments).map(Self.quoted).joined(separator: " ")
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
            WorkingDirectory=\(folder.replacing("%", with: "%%"))
            ExecStart=\(words)
            # Partial files are kept, and the next start resumes them.
            TimeoutStopSec=10
            Restart=on-failure
            RestartSec=5

            [Install]
            WantedBy=default.target

            """
    }

    /// One word of a command line in a unit.
    ///
    /// - Source: systemd.service(5), "Command lines", and systemd.unit(5), "Specifiers".
    private static func quoted(_ word: String) -> String {
        let safe = word.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("%", with: "%%")
            .replacing("$", with: "$$").replacing("\n", with: "\\n").replacing("\t", with: "\\t")
        let isPlain = !word.isEmpty && !word.contains { " \t\n\"'\\;".contains($0) }
        return isPlain ? safe : "\"\(safe)\""
    }
}

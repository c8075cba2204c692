import Testing

@testable import winch

@Suite struct `A systemd unit` {
    private func line(_ name: String, _ arguments: String...) -> String? {
        let unit = SystemdUnit(program: "/opt/a b/winch", arguments: arguments, folder: "/srv/50%", session: "night")
        return unit.text.split(separator: "\n").first { $0.hasPrefix(name) }.map(String.init)
    }

    @Test func `runs the session with the words that were given`() {
        #expect(line("ExecStart=") == #"ExecStart="/opt/a b/winch" serve --foreground"#)
        #expect(
            line("ExecStart=", "-i", "my list", "http://h/$a%20b", #"say "hi"\"#, "")
                == #"ExecStart="/opt/a b/winch" serve --foreground -i "my list" http://h/$$a%%20b "say \"hi\"\\" """#)
        #expect(line("WorkingDirectory=") == "WorkingDirectory=/srv/50%%")
        #expect(line("#   systemctl --user enable")?.hasSuffix("winch-night") == true)
    }
}

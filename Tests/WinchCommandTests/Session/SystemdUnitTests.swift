import TestSupport
import Testing
import WinchModel

@testable import winch

@Suite struct `A systemd unit` {
    private func line(_ name: String, _ arguments: String...) -> String? {
        let unit = SystemdUnit(program: "/opt/a b/winch", arguments: arguments, folder: "/srv/50%", session: "night")
        return unit.text.split(separator: "\n").first { $0.hasPrefix(name) }.map(String.init)
    }

    @Test func `runs the session with the words that were given`() {
        expectEqual(line("ExecStart="), #"ExecStart="/opt/a b/winch" serve --foreground"#)
        expectEqual(
            line("ExecStart=", "-i", "my list", "http://h/$a%20b", #"say "hi"\"#, ""),
            #"ExecStart="/opt/a b/winch" serve --foreground -i "my list" http://h/$$a%%20b "say \"hi\"\\" """#)
        expectEqual(line("WorkingDirectory="), "WorkingDirectory=/srv/50%%")
        expectEqual(line("#   systemctl --user enable")?.hasSuffix("winch-night"), true)
    }

    @Test func `has bytes that a line of a unit cannot have as escapes`() {
        let odd = String(system: [UInt8(ascii: "l"), 0xE9, UInt8(ascii: "\n"), UInt8(ascii: "$")])
        expectEqual(line("ExecStart=", "-i", odd)?.hasSuffix(#" -i "l\xe9\x0a$$""#), true)
        expectEqual(line("ExecStart=", "-i", "é\t")?.hasSuffix(#" -i "é\x09""#), true)
        let unit = SystemdUnit(program: "/opt/$x/winch", arguments: [], folder: "/srv/" + odd, session: nil)
        expect(!unit.text.contains("WorkingDirectory="))
        expect(unit.text.contains(#"ExecStart=/usr/bin/env -C "/srv/l\xe9\x0a$$" /opt/$$x/winch serve --foreground"#))
        let plain = SystemdUnit(program: "/opt/$x/winch", arguments: [], folder: "/srv", session: nil)
        expect(plain.text.contains("ExecStart=/opt/$x/winch serve --foreground\n"))
    }
}

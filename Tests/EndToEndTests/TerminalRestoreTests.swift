import FaultServer
import Foundation
import TestSupport
import Testing

/// However the program ends, the shell finds its terminal as it was.
@Suite(.serialized) struct `The terminal's original state` {
    @Test(arguments: ["INT", "SEGV", "KILL"])
    func `is restored after a signal`(signal: String) async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            let terminal = try await Tmux(folder)
            let before = try await terminal.settings()
            try await terminal.winch(
                "\(server.url("a.bin", "size=400M", "rate=1M").quoted) -d got & echo $! > pid; fg; echo back-$((1+1))")
            try await terminal.wait(for: "moving") { $0.contains { $0.contains("a.bin") && $0.contains("↓") } }
            let pid = try folder.text("pid").trimmingCharacters(in: .whitespacesAndNewlines)
            try await send(signal, to: pid)
            if signal == "INT" {
                try await terminal.wait(for: "y yes")
                try await send(signal, to: pid)
            }
            try await terminal.wait(for: "back-2")
            // After SIGKILL the guardian needs a moment.
            try await terminal.wait(for: "the shell's screen") { _ in
                try await terminal.tmux(["display-message", "-p", "#{alternate_on}"]) == "0\n"
            }
            let after = try await terminal.settings()
            expectEqual(after, before, "after SIG\(signal)")
            try await expectEqual(terminal.tmux(["display-message", "-p", "#{alternate_on} #{cursor_flag}"]), "0 1\n")
            expect(folder.exists("got/a.bin.part"))
        }
    }

    /// Only the guardian can restore it: a shell without job control resets no terminal.
    @Test(arguments: [("", "↓"), ("--screen-reader", "Winch has 1")])
    func `is restored after a script's program was killed`(face: String, word: String) async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            let terminal = try await Tmux(folder)
            let before = try await terminal.settings()
            let line = "\(Program.winch) \(server.url("a.bin", "size=400M", "rate=1M").quoted) -d got \(face)"
            try folder.write("\(line) &\necho $! > pid\nwait\ntouch over\n", to: "script")
            try await terminal.run("sh script < /dev/tty")
            try await terminal.wait(for: "moving") { $0.contains { $0.contains(word) } }
            try await send("KILL", to: try folder.text("pid").trimmingCharacters(in: .whitespacesAndNewlines))
            // What the script writes at once may still go to the dashboard's screen, and disappear with it. What is typed before the
            // guardian has restored the terminal is lost.
            let tty = try await terminal.tmux(["display-message", "-p", "#{pane_tty}"])
                .trimmingCharacters(in: .whitespacesAndNewlines)
            try await terminal.wait(for: "the shell's screen") { _ in
                let isOn = try await terminal.tmux(["display-message", "-p", "#{alternate_on}"])
                let modes = try await InstalledTool.run("/bin/stty", ["-F", tty, "-a"])
                return folder.exists("over") && isOn == "0\n" && modes.contains(" icanon")
            }
            try await expectEqual(terminal.settings(), before)
            try await expectEqual(terminal.tmux(["display-message", "-p", "#{alternate_on} #{cursor_flag}"]), "0 1\n")
        }
    }

    private func send(_ signal: String, to pid: String) async throws {
        try await InstalledTool.run("/bin/kill", ["-\(signal)", pid])
    }
}

extension String {
    /// Quoted for a shell.
    var quoted: String { "'\(self)'" }
}

import FaultServer
import Foundation
import TestSupport
import Testing

/// The program as a job of a shell with job control.
@Suite(.serialized) struct `A shell job` {
    private func shell(_ folder: TestFolder) async throws -> Tmux {
        let terminal = try await Tmux(folder)
        try await terminal.run("exec bash --norc --noprofile")
        try await terminal.run("unset HISTFILE; PS1='ready> '; clear")
        try await terminal.wait(for: "ready>")
        return terminal
    }

    private func moving(_ terminal: Tmux) async throws {
        try await terminal.wait(for: "a row that moves") { $0.contains { $0.contains("a.bin") && $0.contains("↓") } }
    }

    /// Checks that the shell has the terminal: a typed command is executed, on the normal screen, with echo.
    private func useShell(_ terminal: Tmux) async throws {
        try await terminal.run("echo $((40+2))-here")
        try await terminal.wait(for: "42-here")
        try await terminal.wait(for: "the shell's screen") { _ in
            try await terminal.tmux(["display-message", "-p", "#{alternate_on} #{mouse_any_flag}"]) == "0 0\n"
        }
        try await expect(terminal.settings().contains(" echo "))
    }

    @Test func `stops at Ctrl-Z, continues in the background after bg, and restores its screen after fg`() async throws
    {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            let terminal = try await shell(folder)
            try await terminal.winch("\(server.url("a.bin", "size=400M", "rate=2M").quoted) -d got")
            try await moving(terminal)
            try await terminal.press("C-z")
            try await terminal.wait(for: "Stopped")
            try await useShell(terminal)
            try await terminal.run("fg")
            try await moving(terminal)
            try await terminal.press("C-z")
            try await terminal.wait(for: "the second stop") { $0.contains { $0.contains("Stopped") } }
            try await terminal.run("clear; bg")
            let before = try folder.size("got/a.bin.part")
            try await folder.wait(for: "got/a.bin.part", toHave: before + 1 << 20)
            try await useShell(terminal)
            try await terminal.run("fg")
            try await moving(terminal)
            expectEqual(server.requests(for: "a.bin").count { $0.method == "GET" }, 1, "one connection all the time")
            try await terminal.press("q", "y")
            try await terminal.wait(for: "1 unfinished, partial files kept")
        }
    }

    @Test func `started in the background downloads without using the terminal and shows its screen after fg`()
        async throws
    {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            let terminal = try await shell(folder)
            try await terminal.winch("\(server.url("a.bin", "size=400M", "rate=1M").quoted) -d got &")
            try await folder.wait(for: "got/a.bin.part", toHave: 200_000)
            try await useShell(terminal)
            try await terminal.run("clear; jobs")
            try await terminal.wait(for: "Running")
            try await terminal.run("fg")
            try await moving(terminal)
            try await terminal.press("q", "y")
            try await terminal.wait(for: "ready>")
        }
    }

    /// `winch http://h/a?x=1&y=2` without quotes starts such a job; without a message it would seem to have done nothing.
    @Test func `started in the background ends with a message when all is done`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            let terminal = try await shell(folder)
            try await terminal.winch("\(server.url("a.bin", "size=3M").quoted) -d got & wait %1; echo ended-$?")
            try await terminal.wait(for: "ended-0", seconds: 60)
            try await terminal.wait(for: "winch: 1 finished")
            try expectEqual(folder.names("got"), ["a.bin"])
        }
    }

    /// SIGSTOP leaves the program no time to leave the alternate screen.
    @Test func `stopped by SIGSTOP does not write to the terminal when it continues in the background`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            let terminal = try await shell(folder)
            try await terminal.winch(
                "\(server.url("a.bin", "size=400M", "rate=1M").quoted) -d got & echo $! > pid; fg")
            try await moving(terminal)
            try await InstalledTool.run("/bin/kill", ["-STOP", folder.text("pid").trimmingCharacters(in: .newlines)])
            try await terminal.wait(for: "Stopped")
            try await terminal.run("bg; echo $((50+2))-there")
            try await terminal.wait(for: "52-there")
            try await terminal.run("kill %1; wait %1; echo ended-$?")
            try await terminal.wait(for: "ended-7")
        }
    }
}

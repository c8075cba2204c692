import FaultServer
import Foundation
import TestSupport
import Testing

/// What keys do outside of the dashboard. The tests of WinchScreen press every key and look at the screen and the commands.
///
/// Sensitive to time: a transfer has to be in a state when a key is pressed.
@Suite struct `The dashboard's keys` {
    @Test func `reach the queue, other programs, the disk and the terminal, as the user has configured them`()
        async throws
    {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            try folder.makeFolder(".config/winch")
            try folder.write("key.pause=F5\n", to: ".config/winch/winch.conf")
            try folder.writeScript("echo \"$1\" > opened", to: "xdg-open")
            let terminal = try await Tmux(folder, environment: ["PATH": "\(folder.url.path):/usr/bin:/bin"])
            try await terminal.tmux(["set", "-g", "set-clipboard", "on"])
            let isMoving = { (lines: [String]) in lines.contains { $0.contains("a.bin") && $0.contains("↓") } }

            try await terminal.winch("\(server.url("a.bin", "size=400M", "rate=1M").quoted) -d got; echo ended-$?")
            try await terminal.wait(for: "a moving row", isMoving)
            try await terminal.press("F5")
            try await terminal.wait(for: "F5 resume")
            try await terminal.press("F5")
            try await terminal.wait(for: "a moving row", isMoving)
            try await eventually("the rest asked for") { server.requests(for: "a.bin").last?.range != nil }

            try await terminal.press("o")
            try await eventually("the folder opened") {
                try folder.exists("opened") && folder.text("opened") == folder.path("got") + "\n"
            }
            try await terminal.press("y")
            try await eventually("the URL in tmux") {
                (try? await terminal.tmux(["show-buffer"]))?.contains("/f/a.bin") == true
            }
            try await terminal.press("t", "W")
            try await terminal.wait(for: "winch.conf: theme=light")
            try expectEqual(folder.text(".config/winch/winch.conf"), "key.pause=F5\ntheme=light\n")

            // Another process writes to the same terminal, below the rows, where the program draws nothing.
            let path = try await terminal.tmux(["display-message", "-p", "#{pane_tty}"])
            try await InstalledTool.run("/bin/sh", ["-c", "printf '\\0337\\033[20;10Hgarbage\\0338' > \(path)"])
            try await terminal.wait(for: "garbage")
            try await terminal.press("C-l")
            try await terminal.wait(without: "garbage")

            try await terminal.press("C-c")
            try await terminal.wait(for: "Quit? This stops 1 download.")
            try await terminal.press("C-c")
            try await terminal.wait(for: "winch: 1 unfinished")
            try await terminal.wait(for: "run `winch` to resume")
            try await terminal.wait(for: "ended-7")
        }
    }
}

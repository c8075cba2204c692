import FaultServer
import Testing

/// Tab after `@` in the line where downloads are added, in a real terminal.
@Suite(.serialized) struct `The path of a batch file` {
    @Test func `is completed by Tab in the add line and after the add command`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            try folder.write(server.url("first.bin"), to: "lists-first.txt")
            try folder.write(server.url("second.bin"), to: "lists-second.txt")
            try folder.write("", to: "bell\u{7}.txt")
            let terminal = try await Tmux(folder)
            try await terminal.winch("-d got; echo ended-$?")
            try await terminal.wait(for: "No downloads yet")
            try await terminal.type("a@li")
            try await terminal.press("Tab")
            try await terminal.wait(for: "both lists") { lines in
                lines.contains { $0.contains("lists-first.txt") } && lines.contains { $0.contains("lists-second.txt") }
                    && lines.contains { $0.contains("@lists-") }
            }
            try await terminal.press("Tab")
            try await terminal.wait(for: "@lists-first.txt")
            try await terminal.press("Enter")
            try await terminal.wait(for: "first.bin")
            try await terminal.type(":add @./lists-s")
            try await terminal.press("Tab")
            try await terminal.wait(for: "add @./lists-second.txt")
            try await terminal.press("Enter")
            try await terminal.wait(for: "second.bin")
            try await terminal.type("a@be")
            try await terminal.press("Tab")
            try await terminal.wait(for: "@bell\\x07.txt")
        }
    }
}

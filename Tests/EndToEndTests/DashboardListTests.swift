import FaultServer
import Foundation
import Testing

/// Tags and the mouse in a real terminal, and the text that the screen then shows.
@Suite(.serialized) struct `The dashboard's list` {
    /// Opens the dashboard on some transfers.
    private func open(_ urls: [String], _ options: String = "") async throws -> Tmux {
        let folder = try TestFolder()
        try folder.write(urls.joined(separator: "\n"), to: "urls.txt")
        let terminal = try await Tmux(folder)
        try await terminal.winch("-i urls.txt -d got --retry-wait 30 \(options); echo ended-$?")
        return terminal
    }

    private func slow(_ server: FaultServer, _ names: String...) -> [String] {
        names.map { server.url($0, "size=400M", "rate=1M") }
    }

    /// Names of files in the table, from top to bottom.
    private func names(_ lines: [String]) -> [String] {
        lines.compactMap { line in
            line.split(separator: " ").first { $0.hasSuffix(".bin") }.map(String.init)
        }
    }

    private func wait(_ terminal: Tmux, for names: [String]) async throws {
        try await terminal.wait(for: "\(names)") { self.names($0) == names }
    }

    @Test func `has tags, and a key acts on all tagged rows`() async throws {
        try await FaultServer.serving { server in
            let terminal = try await open(slow(server, "a.bin", "b.bin", "c.bin"))
            try await terminal.wait(for: "all moving") { $0.count { $0.contains(".bin") && $0.contains("↓") } == 3 }
            try await terminal.press("Space", "Space")
            try await terminal.wait(for: "▌ 2 tagged")
            try await terminal.press("p")
            try await terminal.wait(for: "2 downloads paused")
            try await terminal.wait(for: "two paused") {
                $0.count { $0.contains(".bin") && $0.contains("paused") } == 2
            }
            try await terminal.press("p")
            try await terminal.wait(for: "all moving") { $0.count { $0.contains(".bin") && $0.contains("↓") } == 3 }
            try await terminal.press("]")
            try await wait(terminal, for: ["c.bin", "a.bin", "b.bin"])
            try await terminal.press("*")
            try await terminal.wait(for: "▌ 3 tagged")
            try await terminal.press("c")
            try await terminal.wait(for: "Cancel 3 tagged downloads")
            try await terminal.press("y")
            try await terminal.wait(for: "3 cancelled")
            try await terminal.press("r")
            try await terminal.wait(for: "all moving") { $0.count { $0.contains(".bin") && $0.contains("↓") } == 3 }
        }
    }

    @Test func `reacts to mouse clicks until the percent sign turns the mouse off`() async throws {
        try await FaultServer.serving { server in
            let terminal = try await open(slow(server, "b.bin", "c.bin", "a.bin"), "--hold")
            try await wait(terminal, for: ["b.bin", "c.bin", "a.bin"])
            try await terminal.click("a.bin")
            try await terminal.wait(for: "a.bin selected") { $0.contains { $0.contains("▸") && $0.contains("a.bin") } }
            try await terminal.click("Name")
            try await wait(terminal, for: ["a.bin", "b.bin", "c.bin"])
            try await terminal.click("Name")
            try await wait(terminal, for: ["c.bin", "b.bin", "a.bin"])
            try await terminal.click("Active 0")
            try await terminal.wait(for: "No download is active now")
            try await terminal.click("All 3")
            try await terminal.wait(for: "1 All 3")
            try await terminal.wait(for: "? help")
            try await terminal.click("? help")
            try await terminal.wait(for: "bar counts files or bytes")
            try await terminal.click("Esc back")
            try await terminal.wait(without: "bar counts files or bytes")
            #expect(try await terminal.tmux(["display-message", "-p", "#{mouse_any_flag}"]).contains("1"))
            try await terminal.press("%")
            try await terminal.wait(for: "Mouse off")
            #expect(try await terminal.tmux(["display-message", "-p", "#{mouse_any_flag}"]).contains("0"))
            try await terminal.press("%")
            try await terminal.wait(for: "Mouse on")
            try await terminal.press("q")
            try await terminal.wait(for: "ended-7")
            #expect(try await terminal.tmux(["display-message", "-p", "#{mouse_any_flag}"]).contains("0"))
        }
    }

    @Test func `scrolls with the wheel`() async throws {
        try await FaultServer.serving { server in
            let terminal = try await open((100..<200).map { server.url("row-\($0).bin", "size=4M") }, "--hold")
            try await terminal.wait(for: "row-100")
            try await terminal.type("\u{1B}[<65;5;9M")
            try await terminal.wait(without: "row-100")
            try await terminal.wait(for: "row-103")
            try await terminal.type("\u{1B}[<64;5;9M")
            try await terminal.wait(for: "row-100")
        }
    }
}

import FaultServer
import Foundation
import TestSupport
import Testing

/// The dashboard in a real terminal; its keys have tests of their own.
@Suite(.serialized) struct `The dashboard` {
    /// Opens the dashboard on some transfers.
    private func open(_ lines: [String], _ options: String = "") async throws -> Tmux {
        let folder = try TestFolder()
        try folder.write(lines.joined(separator: "\n"), to: "urls.txt")
        let terminal = try await Tmux(folder)
        try await terminal.winch("-i urls.txt -d got --retry-wait 30 \(options); echo ended-$?")
        return terminal
    }

    @Test func `shows errors in the batch while its other entries run, in ASCII only when asked to`() async throws {
        try await FaultServer.serving { server in
            let urls = ["a", "%E6%9D%B1"].map { server.origin + "/f/\($0).bin?size=400M&rate=1M" }
            let terminal = try await open(urls + ["nonsense"], "--ascii")
            let screen = try await terminal.wait(for: "the problem") { screen in
                ["a.bin", "%", "urls.txt:3: error: not a URL"].allSatisfy { words in
                    screen.contains { $0.contains(words) }
                }
            }
            expect(screen.joined().utf8.allSatisfy { $0 < 0x80 })
        }
    }

    @Test func `shows every transfer, the queue and the keys, and stays open when all is done`() async throws {
        try await FaultServer.serving { server in
            let terminal = try await open([
                server.url("one.bin", "size=3M"), server.url("two.bin", "size=40K"),
                server.url("gone.bin", "status=404"),
            ])
            let screen = try await terminal.wait(for: "2 of 3 done · 1 failed")
            let text = screen.joined(separator: "\n")
            expect(text.contains("urls.txt"))
            expect(text.contains("counting bytes"))
            expect(text.contains("100%"))
            try await expectEqual(terminal.line(with: "one.bin")?.contains("done"), true)
            try await expectEqual(terminal.line(with: "gone.bin")?.contains("404 not found"), true)
            try await expect(terminal.line(with: "quit") != nil)
            try await terminal.press("q")
            try await terminal.wait(for: "ended-3")
            try terminal.folder.expectSeeded("got/one.bin", size: 3 << 20)
        }
    }
}

/// The mouse in a real terminal, and the text that the screen then shows.
@Suite(.serialized) struct `The dashboard's list` {
    private func wait(_ terminal: Tmux, for names: String...) async throws {
        try await terminal.wait(for: "\(names)") { lines in
            lines.compactMap { $0.split(separator: " ").first { $0.hasSuffix(".bin") }.map(String.init) } == names
        }
    }

    @Test func `reacts to mouse clicks until the percent sign turns the mouse off`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            try folder.write(
                ["b.bin", "c.bin", "a.bin"].map { server.url($0) }.joined(separator: "\n"), to: "urls.txt")
            let terminal = try await Tmux(folder)
            try await terminal.winch("-i urls.txt -d got --hold; echo ended-$?")
            try await wait(terminal, for: "b.bin", "c.bin", "a.bin")
            try await terminal.click("a.bin")
            try await terminal.wait(for: "a.bin selected") { $0.contains { $0.contains("▸") && $0.contains("a.bin") } }
            try await terminal.click("Name")
            try await wait(terminal, for: "a.bin", "b.bin", "c.bin")
            try await terminal.click("? help")
            try await terminal.wait(for: "bar counts files or bytes")
            try await terminal.click("Esc back")
            try await terminal.wait(without: "bar counts files or bytes")
            try await expect(terminal.tmux(["display-message", "-p", "#{mouse_any_flag}"]).contains("1"))
            try await terminal.press("%")
            try await terminal.wait(for: "Mouse off")
            try await expect(terminal.tmux(["display-message", "-p", "#{mouse_any_flag}"]).contains("0"))
            try await terminal.press("%")
            try await terminal.wait(for: "Mouse on")
            try await terminal.press("q")
            try await terminal.wait(for: "ended-7")
            try await expect(terminal.tmux(["display-message", "-p", "#{mouse_any_flag}"]).contains("0"))
        }
    }
}

/// Tab after `@` in the line where downloads are added, in a real terminal.
@Suite(.serialized) struct `The path of a batch file` {
    @Test func `is completed by Tab in the add line`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            try folder.write(server.url("first.bin"), to: "lists-first.txt")
            try folder.write(server.url("second.bin"), to: "lists-second.txt")
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
        }
    }
}

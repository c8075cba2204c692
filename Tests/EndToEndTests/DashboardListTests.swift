import FaultServer
import Foundation
import TestSupport
import Testing

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

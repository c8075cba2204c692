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

    @Test func `shows errors in the batch while its other entries run`() async throws {
        try await FaultServer.serving { server in
            let terminal = try await open([server.url("a.bin", "size=90M", "rate=1M"), "nonsense"])
            try await terminal.wait(for: "the problem") { screen in
                screen.contains { $0.contains("a.bin") }
                    && screen.contains { $0.contains("urls.txt:2: error: not a URL") }
            }
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
            try expectEqual(terminal.folder.sha256("got/one.bin"), SeededContent(name: "one.bin").sha256(size: 3 << 20))
        }
    }

    @Test func `draws in ASCII only when asked to`() async throws {
        try await FaultServer.serving { server in
            let urls = ["a", "%E6%9D%B1"].map { server.origin + "/f/\($0).bin?size=400M&rate=1M" }
            let terminal = try await open(urls, "--ascii")
            try await terminal.wait(for: "a.bin")
            try await terminal.wait(for: "percent") { $0.contains { $0.contains("%") } }
            try await expect(terminal.screen().joined().utf8.allSatisfy { $0 < 0x80 })
        }
    }
}

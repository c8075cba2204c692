import FaultServer
import Foundation
import Testing

/// The dashboard in a real terminal; its keys have tests of their own.
@Suite(.serialized) struct `The dashboard` {
    /// Opens the dashboard on some transfers.
    private func open(
        _ server: FaultServer, _ urls: [String], _ options: String = "", columns: Int = 120, rows: Int = 36,
        environment: [String: String] = [:]
    ) async throws -> Tmux {
        let folder = try TestFolder()
        try folder.write(urls.joined(separator: "\n"), to: "urls.txt")
        let terminal = try await Tmux(folder, columns: columns, rows: rows, environment: environment)
        try await terminal.winch("-i urls.txt -d got --retry-wait 30 \(options); echo ended-$?")
        return terminal
    }

    private func slow(_ server: FaultServer, _ names: String...) -> [String] {
        names.map { server.url($0, "size=400M", "rate=1M") }
    }

    @Test func `shows errors in the batch while its other entries run`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            try folder.write("\(server.url("a.bin", "size=90M", "rate=1M"))\nnonsense\n", to: "urls.txt")
            let terminal = try await Tmux(folder)
            try await terminal.winch("-i urls.txt -d got")
            try await terminal.wait(for: "the problem") { screen in
                screen.contains { $0.contains("a.bin") }
                    && screen.contains { $0.contains("urls.txt:2: error: not a URL") }
            }
        }
    }

    @Test func `shows every transfer, the queue and the keys, and stays open when all is done`() async throws {
        try await FaultServer.serving { server in
            let terminal = try await open(
                server,
                [
                    server.url("one.bin", "size=3M"), server.url("two.bin", "size=40K"),
                    server.url("gone.bin", "status=404"),
                ])
            let screen = try await terminal.wait(for: "2 of 3 done · 1 failed")
            let text = screen.joined(separator: "\n")
            #expect(text.contains("urls.txt"))
            #expect(text.contains("counting bytes"))
            #expect(text.contains("100%"))
            #expect(try await terminal.line(with: "one.bin")?.contains("done") == true)
            #expect(try await terminal.line(with: "gone.bin")?.contains("404 not found") == true)
            #expect(try await terminal.line(with: "quit") != nil)
            try await terminal.press("q")
            try await terminal.wait(for: "ended-3")
            #expect(try terminal.folder.sha256("got/one.bin") == SeededContent(name: "one.bin").sha256(size: 3 << 20))
        }
    }

    @Test func `shows why a typed URL is refused`() async throws {
        try await FaultServer.serving { server in
            let terminal = try await open(server, slow(server, "a.bin"))
            try await terminal.wait(for: "a.bin")
            try await terminal.press("a")
            try await terminal.type("gopher://x/y")
            try await terminal.press("Enter")
            try await terminal.wait(for: "cannot fetch gopher")
        }
    }

    @Test func `draws in ASCII only when asked to or when the locale requires it`() async throws {
        try await FaultServer.serving { server in
            for (option, locale) in [("--ascii", "C.UTF-8"), ("", "C")] {
                let terminal = try await open(
                    server, slow(server, "a.bin") + [server.origin + "/f/%E6%9D%B1.bin?size=400M&rate=1M"], option,
                    environment: ["LANG": locale, "LC_ALL": locale])
                try await terminal.wait(for: "a.bin")
                try await terminal.wait(for: "percent") { $0.contains { $0.contains("%") } }
                #expect(try await terminal.screen().joined().utf8.allSatisfy { $0 < 0x80 })
            }
        }
    }

    @Test func `closes by itself with --exit`() async throws {
        try await FaultServer.serving { server in
            let terminal = try await open(server, [server.url("a.bin", "size=1M")], "--exit")
            try await terminal.wait(for: "ended-0")
        }
    }

    @Test func `counts a URL that is given twice once`() async throws {
        try await FaultServer.serving { server in
            let url = server.url("a.bin", "size=400M", "rate=1M")
            let terminal = try await Tmux(try TestFolder(), columns: 100, rows: 20)
            try await terminal.winch("'\(url)' '\(url)' -d got")
            let screen = try await terminal.wait(for: "0 of 1 done")
            #expect(!screen.contains { $0.contains("URL") })
        }
    }

    @Test func `never lets a server's text control the terminal`() async throws {
        try await FaultServer.serving { server in
            let hostile = "attachment; filename=\"a\u{1B}[2J\u{1B}]0;owned\u{7}.bin\""
            let terminal = try await open(
                server,
                [server.url("x", "size=400M", "rate=1M", "disposition=\(hostile)"), server.url("b.bin", "size=100")])
            try await terminal.wait(for: "b.bin")
            try await terminal.wait(for: "owned")
            #expect(try await terminal.tmux(["display-message", "-p", "#{pane_title}"]).contains("owned") == false)
        }
    }
}

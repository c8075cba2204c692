import FaultServer
import Foundation
import Testing

/// Each key pressed in a real terminal, and what the screen says then.
@Suite(.serialized) struct `The dashboard` {
    /// Opens the dashboard on some transfers.
    private func open(
        _ server: FaultServer, _ urls: [String], _ options: String = "", columns: Int = 120, rows: Int = 36,
        environment: [String: String] = [:]
    ) async throws -> Tmux {
        let folder = try Scratch()
        try folder.write(urls.joined(separator: "\n"), to: "urls.txt")
        let terminal = try await Tmux(folder, columns: columns, rows: rows, environment: environment)
        try await terminal.winch("-i urls.txt -d got --retry-wait 30 \(options); echo ended-$?")
        return terminal
    }

    private func slow(_ server: FaultServer, _ names: String...) -> [String] {
        names.map { server.url($0, "size=400M", "rate=1M") }
    }

    @Test func `tells what is wrong with the batch while the rest of it runs`() async throws {
        try await FaultServer.serving { server in
            let folder = try Scratch()
            try folder.write("\(server.url("a.bin", "size=90M", "rate=1M"))\nnonsense\n", to: "urls.txt")
            let terminal = try await Tmux(folder)
            try await terminal.winch("-i urls.txt -d got")
            try await terminal.wait(for: "the problem") { screen in
                screen.contains { $0.contains("a.bin") }
                    && screen.contains { $0.contains("urls.txt:2: error: not a URL") }
            }
        }
    }

    @Test func `shows every transfer, the queue and the keys, and stays when all is done`() async throws {
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
            #expect(text.contains("accurate"))
            #expect(text.contains("100%"))
            #expect(try await terminal.line(with: "one.bin")?.contains("done") == true)
            #expect(try await terminal.line(with: "gone.bin")?.contains("404 not found") == true)
            #expect(try await terminal.line(with: "quit") != nil)
            try await terminal.press("q")
            try await terminal.wait(for: "ended-3")
            #expect(try terminal.folder.sha256("got/one.bin") == SeededContent(name: "one.bin").sha256(size: 3 << 20))
        }
    }

    @Test func `pauses and resumes a row and all rows`() async throws {
        try await FaultServer.serving { server in
            let terminal = try await open(server, slow(server, "a.bin", "b.bin"))
            try await terminal.wait(for: "moving rows") { $0.contains { $0.contains("a.bin") && $0.contains("↓") } }
            try await terminal.press("p")
            try await terminal.wait(for: "a paused") { $0.contains { $0.contains("a.bin") && $0.contains("paused") } }
            #expect(try await terminal.line(with: "b.bin")?.contains("paused") == false)
            try await terminal.press("p")
            try await terminal.wait(for: "a moving") { $0.contains { $0.contains("a.bin") && $0.contains("↓") } }
            #expect(server.requests(for: "a.bin").last?.range != nil, "it goes on from what is on disk")
            try await terminal.press("P")
            try await terminal.wait(for: "both paused") {
                $0.count { $0.contains(".bin") && $0.contains("paused") } == 2
            }
            try await terminal.press("P")
            try await terminal.wait(for: "both moving") { $0.count { $0.contains(".bin") && $0.contains("↓") } == 2 }
        }
    }

    @Test func `cancels after a question, and retries`() async throws {
        try await FaultServer.serving { server in
            let terminal = try await open(
                server, slow(server, "a.bin", "b.bin") + [server.url("c.bin", "status=404,404,200", "size=10")])
            try await terminal.wait(for: "404")
            try await terminal.press("c")
            try await terminal.wait(for: "a question") {
                $0.joined().lowercased().contains("cancel") && $0.joined().contains("y yes")
            }
            try await terminal.press("n")
            try await terminal.wait(without: "y yes")
            #expect(terminal.folder.exists("got/a.bin.part"))
            try await terminal.press("c", "y")
            try await terminal.wait(for: "a cancelled") {
                $0.contains { $0.contains("a.bin") && $0.contains("cancelled") }
            }
            try await terminal.wait(for: "the part gone") { _ in !terminal.folder.exists("got/a.bin.part") }
            try await terminal.press("r")
            try await terminal.wait(for: "a moving again") { $0.contains { $0.contains("a.bin") && $0.contains("↓") } }
            try await terminal.press("R")
            try await terminal.wait(for: "c asked again") { _ in
                server.requests(for: "c.bin").count { $0.method == "GET" } == 2
            }
            try await terminal.press("G")
            try await terminal.wait(for: "c done") { lines in
                // A retry is taken once the second 404 has arrived.
                try await terminal.press("r")
                return lines.contains { $0.contains("c.bin") && $0.contains("done") }
            }
        }
    }

    @Test func `adds what is typed`() async throws {
        try await FaultServer.serving { server in
            let terminal = try await open(server, slow(server, "a.bin"))
            try await terminal.wait(for: "a.bin")
            try await terminal.press("a")
            try await terminal.type(server.url("typed.bin", "size=1000"))
            try await terminal.press("Enter")
            try await terminal.wait(for: "typed.bin done") {
                $0.contains { $0.contains("typed.bin") && $0.contains("done") }
            }
            #expect(terminal.folder.exists("got/typed.bin"))
            try await terminal.press("a")
            try await terminal.type("gopher://x/y")
            try await terminal.press("Enter")
            try await terminal.wait(for: "cannot fetch gopher")
            try await terminal.press("a", "Escape")
            try await terminal.wait(for: "1 of 2 done")
        }
    }

    @Test func `changes the count, the slots, the order and the limit`() async throws {
        try await FaultServer.serving { server in
            let terminal = try await open(server, slow(server, "a.bin", "b.bin", "c.bin"), "-j 1")
            try await terminal.wait(for: "accurate")
            try await terminal.press("m")
            try await terminal.wait(for: "simple")
            try await terminal.press("m")
            try await terminal.wait(for: "accurate")
            try await terminal.wait(for: "one moving") { $0.count { $0.contains(".bin") && $0.contains("↓") } == 1 }
            try await terminal.press("+")
            try await terminal.wait(for: "two moving") { $0.count { $0.contains(".bin") && $0.contains("↓") } == 2 }
            try await terminal.press("-", "G", "[", "[")
            try await terminal.wait(for: "c first") { lines in
                let names = lines.compactMap { line in ["a.bin", "b.bin", "c.bin"].first { line.contains($0) } }
                return names == ["c.bin", "a.bin", "b.bin"]
            }
            try await terminal.press("z")
            try await terminal.wait(for: "limit")
        }
    }

    @Test func `helps, asks before it quits, and goes back by Esc`() async throws {
        try await FaultServer.serving { server in
            let terminal = try await open(server, slow(server, "a.bin"))
            try await terminal.wait(for: "a.bin")
            for key in ["?", "F1", "h"] {
                try await terminal.press(key)
                try await terminal.wait(for: "bar counts files or bytes")
                try await terminal.press("Escape")
                try await terminal.wait(for: "a.bin")
                try await terminal.wait(without: "bar counts files or bytes")
            }
            try await terminal.press("q")
            try await terminal.wait(for: "y yes")
            try await terminal.press("Escape")
            try await terminal.wait(without: "y yes")
            try await terminal.press("C-c")
            try await terminal.wait(for: "y yes")
            try await terminal.press("y")
            try await terminal.wait(for: "ended-7")
            #expect(terminal.folder.exists("got/a.bin.part"))
        }
    }

    @Test func `moves the selection and scrolls`() async throws {
        try await FaultServer.serving { server in
            let urls = (100..<200).map { server.url("row-\($0).bin", "size=400M", "rate=1M") }
            let terminal = try await open(server, urls, "--hold", rows: 24)
            try await terminal.wait(for: "row-100")
            try await terminal.press("G")
            try await terminal.wait(for: "row-199")
            try await terminal.press("g")
            try await terminal.wait(for: "row-100")
            try await terminal.press("PageDown")
            try await terminal.wait(without: "row-100")
            try await terminal.press("PageUp", "j", "k", "Down", "Up")
            try await terminal.wait(for: "row-100")
        }
    }

    @Test func `draws with ASCII alone when told, or when the locale has no more`() async throws {
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

    @Test func `leaves by itself with --exit`() async throws {
        try await FaultServer.serving { server in
            let terminal = try await open(server, [server.url("a.bin", "size=1M")], "--exit")
            try await terminal.wait(for: "ended-0")
        }
    }

    @Test func `survives 200 resizes and draws right after them`() async throws {
        try await FaultServer.serving { server in
            let terminal = try await open(server, slow(server, "a.bin", "b.bin"))
            try await terminal.wait(for: "a.bin")
            var random = SystemRandomNumberGenerator()
            for _ in 0..<200 {
                try await terminal.resize(
                    columns: Int.random(in: 1...300, using: &random), rows: Int.random(in: 1...90, using: &random))
            }
            for (columns, rows) in [(200, 60), (40, 10), (39, 7), (80, 24)] {
                try await terminal.resize(columns: columns, rows: rows)
                try await terminal.wait(for: "a percent at \(columns)x\(rows)") { $0.contains { $0.contains("%") } }
            }
            try await terminal.wait(for: "a.bin")
        }
    }

    @Test func `never lets a server's text steer the terminal`() async throws {
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

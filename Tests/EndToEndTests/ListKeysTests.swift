import FaultServer
import Foundation
import Testing

/// Keys and mouse of the table in a real terminal, and what the screen says then.
@Suite(.serialized) struct `The list` {
    /// Opens the dashboard on some transfers.
    private func open(_ urls: [String], _ options: String = "") async throws -> Tmux {
        let folder = try Scratch()
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

    @Test func `is narrowed by slash while one types, and whole again after Esc`() async throws {
        try await FaultServer.serving { server in
            let terminal = try await open(slow(server, "one.bin", "two.bin", "three.bin"), "--hold")
            try await wait(terminal, for: ["one.bin", "two.bin", "three.bin"])
            try await terminal.press("/")
            try await terminal.wait(for: "Filter:")
            try await terminal.type("T")
            try await wait(terminal, for: ["two.bin", "three.bin"])
            try await terminal.type("w")
            try await wait(terminal, for: ["two.bin"])
            try await terminal.press("Enter")
            try await terminal.wait(for: "filter Tw (1)")
            try await terminal.press("Escape")
            try await wait(terminal, for: ["one.bin", "two.bin", "three.bin"])
            try await terminal.press("/")
            try await terminal.type("!name:two state:paused")
            try await wait(terminal, for: ["one.bin", "three.bin"])
        }
    }

    @Test func `is sorted by the angle brackets and I`() async throws {
        try await FaultServer.serving { server in
            let terminal = try await open(slow(server, "b.bin", "c.bin", "a.bin"), "--hold")
            try await wait(terminal, for: ["b.bin", "c.bin", "a.bin"])
            try await terminal.press(">")
            try await wait(terminal, for: ["a.bin", "b.bin", "c.bin"])
            try await terminal.wait(for: "Name ▲")
            try await terminal.press("I")
            try await wait(terminal, for: ["c.bin", "b.bin", "a.bin"])
            try await terminal.press("<")
            try await wait(terminal, for: ["b.bin", "c.bin", "a.bin"])
            try await terminal.press("F")
            try await terminal.wait(for: "line held")
            try await terminal.press("F")
            try await terminal.wait(without: "line held")
        }
    }

    @Test func `has tabs by number and by Tab`() async throws {
        try await FaultServer.serving { server in
            let terminal = try await open(
                slow(server, "a.bin") + [server.url("b.bin", "status=404"), server.url("c.bin", "size=10")], "-j 1")
            try await terminal.wait(for: "a.bin moving") { $0.contains { $0.contains("a.bin") && $0.contains("↓") } }
            try await terminal.press("p")
            try await terminal.wait(for: "1 failed")
            try await terminal.press("4")
            try await wait(terminal, for: ["b.bin"])
            try await terminal.wait(for: "[4 failed 1]")
            try await terminal.press("5")
            try await wait(terminal, for: ["c.bin"])
            try await terminal.press("3")
            try await wait(terminal, for: ["a.bin"])
            try await terminal.press("2")
            try await terminal.wait(for: "Nothing is running now")
            try await terminal.press("1")
            try await wait(terminal, for: ["a.bin", "b.bin", "c.bin"])
            try await terminal.press("BTab")
            try await wait(terminal, for: ["c.bin"])
            try await terminal.press("Tab")
            try await wait(terminal, for: ["a.bin", "b.bin", "c.bin"])
        }
    }

    @Test func `has tags that keys act on together`() async throws {
        try await FaultServer.serving { server in
            let terminal = try await open(slow(server, "a.bin", "b.bin", "c.bin"))
            try await terminal.wait(for: "all moving") { $0.count { $0.contains(".bin") && $0.contains("↓") } == 3 }
            try await terminal.press("Space", "Space")
            try await terminal.wait(for: "◆ 2 tagged")
            try await terminal.press("p")
            try await terminal.wait(for: "Paused 2")
            try await terminal.wait(for: "two paused") {
                $0.count { $0.contains(".bin") && $0.contains("paused") } == 2
            }
            try await terminal.press("p")
            try await terminal.wait(for: "all moving") { $0.count { $0.contains(".bin") && $0.contains("↓") } == 3 }
            try await terminal.press("g", "u")
            try await terminal.wait(for: "◆ 1 tagged")
            try await terminal.press("U")
            try await terminal.wait(without: "◆ 1 tagged")
            try await terminal.press("*")
            try await terminal.wait(for: "◆ 3 tagged")
            try await terminal.press("c")
            try await terminal.wait(for: "Cancel 3 tagged and remove their parts?")
            try await terminal.press("y")
            try await terminal.wait(for: "3 cancelled")
            try await terminal.press("r")
            try await terminal.wait(for: "all moving") { $0.count { $0.contains(".bin") && $0.contains("↓") } == 3 }
        }
    }

    @Test func `lets go of what has ended, and takes it back`() async throws {
        try await FaultServer.serving { server in
            let terminal = try await open(
                [server.url("a.bin", "size=10"), server.url("b.bin", "status=404"), server.url("c.bin", "size=10")])
            try await terminal.wait(for: "2 of 3 done · 1 failed")
            try await terminal.press("D")
            try await wait(terminal, for: ["b.bin"])
            try await terminal.wait(for: "0 of 1 done · 1 failed")
            #expect(terminal.folder.exists("got/a.bin"))
            try await terminal.press("d")
            try await terminal.wait(for: "Nothing to haul yet")
            try await terminal.press("b")
            try await wait(terminal, for: ["b.bin"])
            try await terminal.press("b")
            try await wait(terminal, for: ["a.bin", "b.bin", "c.bin"])
            try await terminal.wait(for: "2 of 3 done · 1 failed")
        }
    }

    @Test func `limits one row by x while it runs`() async throws {
        try await FaultServer.serving { server in
            let terminal = try await open([
                server.url("a.bin", "size=400M"), server.url("b.bin", "size=400M", "rate=1M"),
            ])
            try await terminal.wait(for: "a.bin")
            try await terminal.press("x")
            try await terminal.wait(for: "Its rate limit")
            try await terminal.type("100K")
            try await terminal.press("Enter")
            try await terminal.wait(for: "a.bin at its limit") {
                $0.contains { $0.contains("a.bin") && $0.contains("limit") }
            }
            #expect(try await terminal.line(with: "b.bin")?.contains("limit") == false)
        }
    }

    @Test func `moves rows to the ends of the queue`() async throws {
        try await FaultServer.serving { server in
            let terminal = try await open(slow(server, "a.bin", "b.bin", "c.bin", "d.bin"), "--hold")
            try await wait(terminal, for: ["a.bin", "b.bin", "c.bin", "d.bin"])
            try await terminal.press("G", "{")
            try await wait(terminal, for: ["d.bin", "a.bin", "b.bin", "c.bin"])
            try await terminal.press("}")
            try await wait(terminal, for: ["a.bin", "b.bin", "c.bin", "d.bin"])
            try await terminal.press("g", "Space", "Space", "]")
            try await wait(terminal, for: ["c.bin", "a.bin", "b.bin", "d.bin"])
            try await terminal.press("[")
            try await wait(terminal, for: ["a.bin", "b.bin", "c.bin", "d.bin"])
        }
    }

    @Test func `is pointed at with the mouse, until the percent sign`() async throws {
        try await FaultServer.serving { server in
            let terminal = try await open(slow(server, "b.bin", "c.bin", "a.bin"), "--hold")
            try await wait(terminal, for: ["b.bin", "c.bin", "a.bin"])
            try await terminal.click("a.bin")
            try await terminal.wait(for: "a.bin selected") { $0.contains { $0.contains("▸") && $0.contains("a.bin") } }
            try await terminal.click("Name")
            try await wait(terminal, for: ["a.bin", "b.bin", "c.bin"])
            try await terminal.click("Name")
            try await wait(terminal, for: ["c.bin", "b.bin", "a.bin"])
            try await terminal.click("active 0")
            try await terminal.wait(for: "Nothing is running now")
            try await terminal.click("all 3")
            try await terminal.wait(for: "[1 all 3]")
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

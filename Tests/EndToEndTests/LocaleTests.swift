import FaultServer
import Foundation
import TestSupport
import Testing

/// Names in many scripts, in locales whose charset has only some of their letters.
@Suite(.serialized) struct `A locale` {
    private static let names = [
        "\u{6771}\u{4EAC}.bin", "caf\u{E9}.bin", "cafe\u{301}.bin", "\u{5E9}\u{5DC}\u{5D5}\u{5DD}.bin",
        "\u{1F469}\u{200D}\u{1F467}.bin", "na\u{EF}ve\u{2013}\u{DC}bung.bin", "\u{FF37}\u{FF49}\u{FF44}\u{FF45}.bin",
    ]

    private func urls(_ server: FaultServer) -> [String] {
        Self.names.map { server.url($0, "size=400M", "rate=1M") }
    }

    private func open(_ server: FaultServer, _ locale: String) async throws -> Tmux {
        let folder = try TestFolder()
        try folder.write(urls(server).joined(separator: "\n"), to: "urls.txt")
        let terminal = try await Tmux(folder, columns: 100, rows: 24, environment: ["LC_ALL": locale])
        try await terminal.winch("-i urls.txt --hold")
        return terminal
    }

    /// The columns at which the states of the rows begin.
    private func states(_ lines: [String]) -> Set<Int> {
        Set(
            lines.filter { $0.contains(".bin") }.compactMap { line in
                line.range(of: "paused").map { width(line[..<$0.lowerBound]) }
            })
    }

    private func width(_ text: Substring) -> Int {
        text.unicodeScalars.reduce(0) { sum, scalar in
            switch scalar.value {
            case 0x300...0x36F: sum
            case 0x4E00...0x9FFF, 0xFF01...0xFF5E, 0x1F300...0x1FAFF: sum + 2
            default: sum + 1
            }
        }
    }

    @Test func `with ASCII shows the nearest ASCII letters, in aligned columns`() async throws {
        try await FaultServer.serving { server in
            let terminal = try await open(server, "C")
            let lines = try await terminal.wait(for: "all rows") {
                $0.count { $0.contains(".bin") && $0.contains("paused") } == 7
            }
            expect(lines.joined().utf8.allSatisfy { $0 < 0x80 })
            expectEqual(states(lines).count, 1)
            let shown = lines.filter { $0.contains(".bin") }.compactMap { line in
                line.split(separator: " ").first { $0.hasSuffix(".bin") }.map(String.init)
            }
            expectEqual(shown, ["??.bin", "cafe.bin", "cafe.bin", "????.bin", "??.bin", "naive-Ubung.bin", "Wide.bin"])
            // Typed UTF-8 is understood in this locale as well.
            try await terminal.press("a")
            try await terminal.wait(for: "Add URL:")
            try await terminal.type("caf\u{E9}|")
            try await terminal.wait(for: "Add URL: cafe|")
        }
    }

    @Test(.enabled(if: LatinLocale.folder != nil, "localedef makes no en_US.ISO-8859-1 here"))
    func `with a single-byte charset shows its letters and reads them from the keyboard`() async throws {
        let folder = try LatinLocale.folder.unwrapped("the locale")
        try await FaultServer.serving { server in
            let program = try WatchedProgram(
                urls(server) + ["--hold"], in: try TestFolder(),
                environment: [
                    "TERM": "xterm-256color", "LC_ALL": LatinLocale.name, "LOCPATH": folder.url.path,
                ])
            try await program.wait(for: "Wide.bin")
            for name in [Array("caf\u{E9}.bin".unicodeScalars), Array("na\u{EF}ve-\u{DC}bung.bin".unicodeScalars)] {
                expect(program.hasWritten(name.map { UInt8($0.value) }))
            }
            // Nothing but those three letters is beyond ASCII.
            expectEqual(Set(program.bytes.filter { $0 >= 0x80 }), [0xE9, 0xEF, 0xDC])
            program.type("a")
            try await program.wait(for: "Add URL:")
            program.type([0xE9, 0xF1])
            try await program.wait(for: "the letters") { _ in program.hasWritten([0xE9, 0xF1]) }
            // The same letters in a paste.
            program.type(Array("\u{1B}[200~".utf8) + [0xFC, 0xE4] + Array("\u{1B}[201~".utf8))
            try await program.wait(for: "the paste") { _ in program.hasWritten([0xFC, 0xE4]) }
        }
    }

    /// libcurl resolves every name below `localhost` to this machine, after it has converted the name to ASCII.
    @Test(arguments: ["C.UTF-8", "C"])
    func `allows any letters in a host name, without a dashboard as well`(locale: String) async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            let url = server.url("a.bin", "size=10").replacing("127.0.0.1", with: "b\u{FC}cher.localhost")
            let result = try await Program.run(url, "--output", "json", in: folder, environment: ["LC_ALL": locale])
            expectEqual(result.code, 0, "\(result.output)\(result.errors)")
            try expectEqual(folder.names(), ["a.bin"])
        }
    }

    @Test func `with ASCII replaces other letters in messages that come while the dashboard is open`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            try folder.write("\(server.url("a.bin", "size=10"))\nnonsense\n", to: "b\u{E4}tch.txt")
            let terminal = try await Tmux(folder, columns: 100, rows: 24, environment: ["LC_ALL": "POSIX"])
            // The shell completes the name, so that the screen has it from messages only.
            try await terminal.winch("-i b*.txt -d got --exit; echo ended-$((40+2))")
            let lines = try await terminal.wait(for: "ended-42")
            expect(lines.contains { $0.contains("winch: b?tch.txt:2: error: not a URL") }, "\(lines)")
            expect(lines.joined().utf8.allSatisfy { $0 < 0x80 })
        }
    }

    @Test func `does not change names on disk and in plain output`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            let result = try await Program.run(
                server.url("caf\u{E9}.bin", "size=10"), in: folder, environment: ["LC_ALL": "C"])
            expectEqual(result.code, 0)
            expect(result.output.contains("finished  caf\u{E9}.bin"))
            try expectEqual(folder.names(), ["caf\u{E9}.bin"])
        }
    }
}

/// A locale that few systems have installed, made for these tests alone; it needs no rights.
private enum LatinLocale {
    static let name = "en_US.ISO-8859-1"
    static let folder: TestFolder? = {
        guard let folder = try? TestFolder(),
            let child = try? Child(
                "/usr/bin/localedef", ["-i", "en_US", "-f", "ISO-8859-1", folder.path(name)])
        else { return nil }
        while child.ending() == nil { usleep(10_000) }
        return folder.exists("\(name)/LC_CTYPE") ? folder : nil
    }()
}

extension WatchedProgram {
    fileprivate func hasWritten(_ sought: [UInt8]) -> Bool {
        bytes.indices.contains { bytes[$0...].starts(with: sought) }
    }
}

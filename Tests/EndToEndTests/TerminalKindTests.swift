import FaultServer
import Foundation
import TestSupport
import Testing

/// The program on terminals of many types: it sends only what their terminfo entries contain, and restores them.
@Suite(.serialized) struct `A terminal of any type` {
    @Test(arguments: ["xterm-256color", "linux", "vt100"])
    func `receives only sequences of its terminfo entry and is restored`(term: String) async throws {
        let vocabulary = try TerminalVocabulary(term: term)
        try await FaultServer.serving { server in
            let program = try WatchedProgram(
                [server.url("a.bin", "size=400M", "rate=1M"), "-d", "got"], in: try TestFolder(), rows: 60,
                environment: ["TERM": term])
            try await program.wait(for: "a.bin")
            expect(!program.isTerminalCooked)
            // `y` copies: a terminal without a clipboard would show the sequence as text.
            for (key, words) in [("?", "twice: at once"), ("\u{1B}", " cancel"), ("y", ""), ("q", "Quit?")] {
                program.type(key)
                if !words.isEmpty { try await program.wait(for: words) }
            }
            program.type("y")
            try await expectEqual(program.end(), 7)
            var known = vocabulary
            if term != "linux", vocabulary.hasMouse { known.allow("OSC 52") }
            expectEqual(known.strange(in: program.bytes), [])
            expectEqual(TerminalVocabulary.unrestored(in: program.bytes), [])
            expect(program.isTerminalCooked)
        }
    }

    @Test(arguments: [
        ("dumb", nil), ("", "TERM is not set"), ("\u{1B}[2J", "TERM=?[2J is not known here"),
    ])
    func `that cannot show a dashboard gets plain lines and the reason`(term: String, reason: String?) async throws {
        try await FaultServer.serving { server in
            let program = try WatchedProgram(
                [server.url("a.bin", "size=1000")], in: try TestFolder(), environment: ["TERM": term])
            try await expectEqual(program.end(), 0)
            expect(program.answer.contains("finished  a.bin"))
            expect(!program.bytes.contains(0x1B))
            expect(program.isTerminalCooked)
            if let reason {
                expect(program.answer.contains("\(reason): using plain output"))
            } else {
                expect(!program.answer.contains("TERM"))
            }
        }
    }

    @Test func `that cannot show a dashboard is refused when one is requested`() async throws {
        let program = try WatchedProgram(
            ["http://127.0.0.1:9/a", "--output", "tui"], in: try TestFolder(), environment: ["TERM": "no-such-type"])
        try await expectEqual(program.end(), 64)
        expect(program.answer.contains("set another, or use --output plain"))
        expect(program.isTerminalCooked)
    }
}

import FaultServer
import Foundation
import Testing

/// A terminal at the end of a line that carries 1,200 bytes a second.
@Suite struct `A slow terminal line` {
    @Test func `receives a few complete frames, and the terminal is restored at the end`() async throws {
        try await FaultServer.serving { server in
            let names = (1...5).map { server.url("\($0).bin", "size=400M", "rate=1M") }
            let program = try WatchedProgram(
                names + ["-d", "got"], in: try TestFolder(), columns: 120, rows: 40,
                environment: ["TERM": "xterm-256color"])
            // Keys that each cause another screen: more output than the line carries and the kernel buffers.
            let beginning = Date.now
            var turns = 0
            while Date.now < beginning + 3 {
                turns += 1
                program.press(turns.isMultiple(of: 2) ? "\u{1B}" : "?")
                program.read(atMost: 60)
                try await Task.sleep(for: .milliseconds(50))
            }
            program.press("\u{3}\u{3}")
            let pressed = Date.now
            while !program.hasEnded() {
                guard Date.now < pressed + 10 else { throw Missing(what: "an end") }
                program.read(atMost: 60)
                try await Task.sleep(for: .milliseconds(50))
            }
            #expect(Date.now.timeIntervalSince(pressed) < 2)
            #expect(program.isTerminalCooked)
            // The buffered output, then the guardian's last bytes.
            try await program.wait(for: "the screen left") { $0.contains("\u{1B}[?1049l") }
            #expect(TerminalVocabulary.unrestored(in: program.bytes) == [])
            #expect(program.bytes.count < 60_000, "of \(turns) screens")
        }
    }
}

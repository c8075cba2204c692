import FaultServer
import Foundation
import TestSupport
import Testing

/// A terminal at the end of a line that carries 1,200 bytes a second.
///
/// Sensitive to time: the terminal takes few bytes a second.
@Suite struct `A slow terminal line` {
    @Test func `receives a few complete frames, and the terminal is restored at the end`() async throws {
        try await FaultServer.serving { server in
            let names = (1...5).map { server.url("\($0).bin", "size=400M", "rate=1M") }
            let program = try WatchedProgram(
                names + ["-d", "got"], in: try TestFolder(), columns: 120, rows: 40,
                environment: ["TERM": "xterm-256color"])
            try await program.wait(for: "the screen entered", seconds: 60) { $0.contains("\u{1B}[?1049h") }
            // Keys that each cause another screen: more output than the line carries and the kernel buffers.
            let turns = 50
            for turn in 1...turns {
                program.press(turn.isMultiple(of: 2) ? "\u{1B}" : "?")
                program.read(atMost: 60)
                try await Task.sleep(for: .milliseconds(50))
            }
            program.press("\u{3}\u{3}")
            // The line would carry all these screens in some minutes; the program does not wait for that.
            let pressed = ContinuousClock.now
            while !program.hasEnded() {
                guard ContinuousClock.now - pressed < .seconds(60) else { throw Missing(what: "an end") }
                program.read(atMost: 60)
                try await Task.sleep(for: .milliseconds(50))
            }
            expect(program.isTerminalCooked)
            // The buffered output, then the guardian's last bytes.
            try await program.wait(for: "the screen left", seconds: 60) { $0.contains("\u{1B}[?1049l") }
            let text = String(decoding: program.bytes, as: UTF8.self)
            for mode in [1000, 1004, 1006, 2004, 2026] {
                let last = text.ranges(of: "\u{1B}[?\(mode)h").last?.upperBound ?? text.startIndex
                expect(text[last...].contains("\u{1B}[?\(mode)l"), "mode \(mode)")
            }
            expectLess(program.bytes.count, than: 60_000, "of \(turns) screens")
        }
    }
}

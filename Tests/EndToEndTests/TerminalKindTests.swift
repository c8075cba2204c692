import FaultServer
import Foundation
import TestSupport
import Testing

@Suite(.serialized) struct `A terminal of any type` {
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

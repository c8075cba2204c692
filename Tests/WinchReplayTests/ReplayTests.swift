import Foundation
import TestSupport
import Testing

@testable import WinchModel
@testable import winch_replay

@Suite struct `A replayed trace` {
    @Test func `gives the figures of a steady stream every quarter of a second before the last event`() throws {
        let data = (1...50).map { "data \(Double($0) / 10) \($0 * 1_000) 0" }
        let samples = try Replay(["total 100000", "start 0"] + data).samples()
        expectEqual(samples.count, 19)
        let last = try require(samples.last)
        expectEqual(last.text, "4.75 5 10000 47")
        expectEqual(samples.first?.text, "0.25 - 10000 2")
    }

    @Test func `reports a line that it cannot read`() {
        #expect(throws: Replay.Malformed.self) { try Replay(["total 5", "data x 3 0"]) }
        #expect(throws: Replay.Malformed.self) { try Replay(["dada 1 3 0"]) }
    }

    @Test func `without events gives no samples`() throws {
        try expect(Replay([]).samples().isEmpty)
    }

    @Test func `gives no rate in a pause and no percentage that decreases`() throws {
        let trace = [
            "total 1000", "data 0.1 100 0", "data 0.3 300 0", "data 0.5 500 0", "pause 0.6", "resume 2.1",
            "data 2.2 600 0", "loss 2.4 200", "data 2.9 650 0", "data 3.3 700 0",
        ]
        let samples = try Replay(trace).samples()
        expectEqual(samples[3].text, "1.0 - - 50")
        expectEqual(samples[9].text, "2.5 1 - -")
        expectEqual(samples[11].figures.percent, 65)
    }
}

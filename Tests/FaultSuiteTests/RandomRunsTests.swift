import Foundation
import Testing

@testable import FaultSuite

/// The short form of `make monkey`.
@Suite struct `Random input in a real terminal` {
    @Test func `breaks neither the program nor the terminal in eight sessions`() async {
        let seed = Seed.drawn(for: "8 sessions")
        let summary = await Monkey(winch: Products.path("winch"), seed: seed, jobs: 8).run(8)
        #expect(summary.isRight, "\(summary.failureLogs.joined(separator: "\n"))")
        #expect(summary.sessions == 8)
        #expect(summary.bytesWritten > 8 * 4000, "from seed \(seed)")
    }

    @Test func `is ended by keys, by the closed window and by each signal`() {
        var random = SplitMix(state: 1)
        let drawn = Set((0..<2000).map { _ in MonkeyEnding.drawn(using: &random).description })
        let signals = ["TERM", "HUP", "QUIT", "USR1", "KILL", "SEGV", "ABRT", "TRAP"]
        #expect(drawn == Set(["q y", "INT INT", "window closed"] + signals))
    }
}

/// The short form of `make torture`.
@Suite struct `Killing the program at random moments` {
    @Test func `leaves every file complete and no entry lost in eight rounds, with little downloaded twice`() async {
        let seed = Seed.drawn(for: "8 rounds")
        let summary = await Torture(winch: Products.path("winch"), seed: seed, jobs: 4).run(8, .kill)
        #expect(summary.isRight, "\(summary.failureLogs.joined(separator: "\n"))")
        #expect(summary.rounds == 8)
        #expect(summary.kills >= 8)
        // Every third round.
        #expect(summary.splitRounds >= 2)
    }

    @Test func `leaves every file complete after two power losses`() async {
        let seed = Seed.drawn(for: "2 rounds with power losses")
        let library = Products.path("libPowerLoss.so")
        let summary = await Torture(winch: Products.path("winch"), seed: seed, jobs: 2)
            .run(2, .powerLoss(library: library))
        #expect(summary.isRight, "\(summary.failureLogs.joined(separator: "\n"))")
        #expect(summary.rounds == 2)
    }
}

private enum Seed {
    /// WINCH_SEED, which repeats a run, or another one each time; printed.
    static func drawn(for runs: String) -> UInt64 {
        let given = UInt64(ProcessInfo.processInfo.environment["WINCH_SEED"] ?? "")
        let seed = given ?? .random(in: 1...999_999)
        print("\(runs) from seed \(seed)")
        return seed
    }
}

/// The built programs and libraries, which lie beside the tests.
enum Products {
    static func path(_ name: String) -> String {
        let places = ["/proc/self/exe", CommandLine.arguments[0]].map {
            URL(fileURLWithPath: $0).resolvingSymlinksInPath().deletingLastPathComponent().appending(path: name).path
        }
        return places.first { FileManager.default.fileExists(atPath: $0) } ?? name
    }
}

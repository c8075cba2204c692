import Foundation
import Testing

@testable import FaultSuite

/// The short form of `make monkey`.
@Suite struct `Random input in a real terminal` {
    @Test func `breaks neither the program nor the terminal in eight sessions`() async {
        let runs = await RandomRuns.of(8, jobs: 8, from: Seed.drawn(for: "8 sessions")) { seed in
            try await MonkeySession.report(winch: Products.path("winch"), seed: seed)
        }
        #expect(runs.failures.isEmpty, "\(runs.failures.joined(separator: "\n"))")
        #expect(runs.count == 8)
        #expect(runs.counts["bytes read", default: 0] > 8 * 4000)
    }

    @Test func `is ended by keys, by the closed window and by each signal`() {
        var random = SplitMix(state: 1)
        let drawn = Set((0..<2000).map { _ in MonkeyEnding.drawn(using: &random) })
        let signals = [SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGKILL, SIGSEGV, SIGABRT, SIGTRAP]
        let endings: [MonkeyEnding] = [.keys, .interrupts, .hangUp] + signals.map(MonkeyEnding.signal)
        #expect(drawn == Set(endings))
    }
}

/// The short form of `make torture`.
@Suite struct `Killing the program at random moments` {
    @Test func `leaves every file complete and no entry lost in eight rounds, with little downloaded twice`() async {
        let runs = await RandomRuns.of(8, jobs: 4, from: Seed.drawn(for: "8 rounds")) { seed in
            try await TortureRound.report(winch: Products.path("winch"), seed: seed)
        }
        #expect(runs.failures.isEmpty, "\(runs.failures.joined(separator: "\n"))")
        #expect(runs.count == 8)
        #expect(runs.counts["kills", default: 0] >= 8)
        // Every third round.
        #expect(runs.counts["rounds with split files", default: 0] >= 2)
    }

    @Test func `leaves every file complete after two power losses`() async {
        let seed = Seed.drawn(for: "2 rounds with power losses")
        let runs = await RandomRuns.of(2, jobs: 2, from: seed) { seed in
            try await TortureRound.report(
                winch: Products.path("winch"), seed: seed, library: Products.path("libPowerLoss.so"))
        }
        #expect(runs.failures.isEmpty, "\(runs.failures.joined(separator: "\n"))")
        #expect(runs.count == 2)
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

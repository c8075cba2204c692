import ArgumentParser
import FaultSuite
import Glibc

@main
struct FaultsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "winch-faults", abstract: "What hostile servers, limits and kill -9 do to downloads.",
        subcommands: [TableCommand.self, TortureCommand.self, MonkeyCommand.self])
}

/// Makes a path absolute, since the program runs in other working folders.
func absolute(_ path: String) -> String {
    guard let found = realpath(path, nil) else { return path }
    defer { free(found) }
    return String(cString: found)
}

struct TableCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "table", abstract: "Runs the built winch through a table of faults.")

    @Argument(help: ArgumentHelp("The built winch.", valueName: "PATH"))
    var winch: String

    @Option(help: ArgumentHelp("Only cases whose name holds this.", valueName: "TEXT"))
    var only = ""

    func run() async throws {
        let cases = FaultCase.all.filter { only.isEmpty || $0.name.contains(only) }
        let table = Table(cases, winch: absolute(winch), jobs: 6)
        var wrong = 0
        for faultCase in cases {
            let fault = await table.fault(in: faultCase)
            wrong += fault == nil ? 0 : 1
            print(faultCase.name + (fault.map { ": ✘ " + $0 } ?? ""))
            fflush(nil)
        }
        print("\(cases.count - wrong) right of \(cases.count)")
        if wrong > 0 { throw ExitCode(1) }
    }
}

struct TortureCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "torture", abstract: "Kills winch at random moments and runs it again, round after round.")

    @Argument(help: ArgumentHelp("The built winch.", valueName: "PATH"))
    var winch: String

    @Option(help: "Rounds of kill -9.")
    var rounds = 300

    @Option(help: "Rounds with a simulated power loss.")
    var powerLoss = 50

    @Option(help: ArgumentHelp("The built libPowerLoss.so.", valueName: "PATH"))
    var library: String

    @Option(help: "The first round's seed; the next ones follow.")
    var seed: UInt64 = .random(in: 1...999_999)

    func run() async throws {
        let (winch, library) = (absolute(self.winch), absolute(self.library))
        let areRight = [
            await play("kill -9", rounds, jobs: 3, from: seed) { seed in
                try await TortureRound.report(winch: winch, seed: seed)
            },
            await play("power loss", powerLoss, jobs: 3, from: seed) { seed in
                try await TortureRound.report(winch: winch, seed: seed, library: library)
            },
        ]
        if areRight.contains(false) { throw ExitCode(1) }
    }
}

struct MonkeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "monkey", abstract: "Does anything to winch at a terminal, session after session.")

    @Argument(help: ArgumentHelp("The built winch.", valueName: "PATH"))
    var winch: String

    @Option(help: "How many sessions.")
    var sessions = 1000

    @Option(help: ArgumentHelp("The first session's seed; the next ones follow.", valueName: "S"))
    var seed: UInt64 = .random(in: 1...999_999)

    func run() async throws {
        let winch = absolute(self.winch)
        let isRight = await play("monkey", sessions, jobs: 8, from: seed) { seed in
            try await MonkeySession.report(winch: winch, seed: seed)
        }
        if !isRight { throw ExitCode(1) }
    }
}

/// Prints what was wrong in a run as soon as it ends, and the sums of all.
///
/// - Returns: whether all runs were right.
private func play(
    _ title: String, _ count: Int, jobs: Int, from seed: UInt64,
    _ body: @escaping @Sendable (UInt64) async throws -> RunReport
) async -> Bool {
    print("\(title): \(count) runs from seed \(seed)")
    fflush(nil)
    var reported = 0
    let runs = await RandomRuns.of(count, jobs: jobs, from: seed, body) { runs in
        for failure in runs.failures[reported...] { print("✘ " + failure) }
        reported = runs.failures.count
        if runs.count % 10 == 0 { print("  \(runs.count) runs, \(reported) wrong") }
        fflush(nil)
    }
    let sums = runs.counts.sorted { $0.key < $1.key }.map { ", \($0.value) \($0.key)" }
    print("\(title): \(runs.count) runs, \(reported) wrong" + sums.joined())
    return reported == 0
}

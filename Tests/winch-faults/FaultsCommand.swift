import ArgumentParser
import FaultSuite
import Glibc

@main
struct FaultsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "winch-faults", abstract: "What hostile servers, full disks and kill -9 do to downloads.",
        subcommands: [TableCommand.self, TortureCommand.self, MonkeyCommand.self], defaultSubcommand: TableCommand.self)
}

/// Makes a path absolute, since the program runs in other working folders.
func absolute(_ path: String) -> String {
    guard let found = realpath(path, nil) else { return path }
    defer { free(found) }
    return String(cString: found)
}

struct TableCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "table", abstract: "Runs the built winch through a table of faults.",
        discussion: """
            Each case ends with a bit-exact file under its name, or with the right exit code and words and nothing \
            broken under that name. Winch may not ask more often than needed, and leaves nothing behind.
            """)

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
        commandName: "torture", abstract: "Kills winch at random moments and runs it again, round after round.",
        discussion: """
            Each round downloads eight files, or every third round three files over several connections each, is \
            killed up to four times, and then goes on by the same batch or by winch alone until all is done. \
            A seed brings a round back: --seed S --rounds 1.
            """)

    @Argument(help: ArgumentHelp("The built winch.", valueName: "PATH"))
    var winch: String

    @Option(help: "Rounds of kill -9.")
    var rounds = 300

    @Option(help: "Rounds with a simulated power loss.")
    var powerLoss = 50

    @Option(help: ArgumentHelp("The built libPowerLoss.so.", valueName: "PATH"))
    var library: String?

    @Option(help: "The first round's seed; the next ones follow.")
    var seed: UInt64 = .random(in: 1...999_999)

    func run() async throws {
        var isRight = true
        if rounds > 0 { isRight = await play(rounds, .kill, "kill -9") }
        if powerLoss > 0, let library {
            isRight = await play(powerLoss, .powerLoss(library: absolute(library)), "power loss") && isRight
        }
        if !isRight { throw ExitCode(1) }
    }

    private func play(_ rounds: Int, _ interruption: TortureRound.Interruption, _ title: String) async -> Bool {
        print("\(title): \(rounds) rounds from seed \(seed)")
        fflush(nil)
        var reported = 0
        let summary = await Torture(winch: absolute(winch), seed: seed, jobs: 3).run(rounds, interruption) {
            summary in
            for failureLog in summary.failureLogs[reported...] { print("✘ " + failureLog) }
            reported = summary.failureLogs.count
            if summary.rounds % 10 == 0 {
                print("  \(summary.rounds) rounds, \(summary.kills) kills, \(reported) wrong")
            }
            fflush(nil)
        }
        let again = Double(summary.fetchedAgain) / Double(max(1, summary.kills)) / 1024
        var words = [
            "\(summary.rounds) rounds, \(summary.splitRounds) of them split (\(summary.partRequests) requests for parts)",
            "\(summary.kills) kills", "\(summary.wrongFiles) wrong files", "\(summary.lostEntries) lost entries",
            "\(summary.unexpectedFiles) parts left over",
            "\(Int(again)) KiB fetched again for each kill, over all transfers",
        ]
        switch interruption {
        case .kill:
            words.append("\(summary.overBudget) transfers over budget")
            words.append("the worst at \(Int(summary.maxRefetchShare * 100))% of it")
        case .powerLoss: words.append("\(summary.bytesLost >> 10) KiB lost with the power")
        }
        print("\(title): " + words.joined(separator: ", "))
        return summary.isRight
    }
}

struct MonkeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "monkey", abstract: "Does anything to winch at a terminal, session after session.",
        discussion: """
            Each session has a terminal of its own, a batch of odd files from a server that misbehaves, and then keys, \
            pastes, clicks, sizes and signals by lot. Nothing may crash, hang, write what a terminal should not get, \
            or leave the terminal other than it was. A seed brings a session back: --seed S --sessions 1.
            """)

    @Argument(help: ArgumentHelp("The built winch.", valueName: "PATH"))
    var winch: String

    @Option(help: "How many sessions.")
    var sessions = 1000

    @Option(help: ArgumentHelp("The first session's seed; the next ones follow.", valueName: "S"))
    var seed: UInt64 = .random(in: 1...999_999)

    func run() async throws {
        print("monkey: \(sessions) sessions from seed \(seed)")
        fflush(nil)
        let start = ContinuousClock.now
        var reported = 0
        let summary = await Monkey(winch: absolute(winch), seed: seed, jobs: 8).run(sessions) { summary in
            for failureLog in summary.failureLogs[reported...] { print("✘ " + failureLog) }
            reported = summary.failureLogs.count
            if summary.sessions % 50 == 0 { print("  \(summary.sessions) sessions, \(reported) wrong") }
            fflush(nil)
        }
        let seconds = Int((ContinuousClock.now - start) / .seconds(1))
        let endings = summary.endings.sorted { $0.value > $1.value }.map { "\($0.value) with \($0.key)" }
        print(
            "monkey: \(summary.sessions) sessions, \(summary.steps) steps, \(summary.bytesWritten >> 10) KiB read, "
                + "\(summary.stops) stops, \(summary.picturesCompared) pictures compared, "
                + "\(reported) wrong, in \(seconds) s")
        print("  ended: " + endings.joined(separator: ", "))
        if !summary.isRight { throw ExitCode(1) }
    }
}

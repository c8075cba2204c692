import ArgumentParser
import FaultSuite
import Glibc

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

    @Option(help: "Rounds at a time.")
    var jobs = 3

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
        let summary = await Torture(winch: absolute(winch), seed: seed, jobs: jobs).run(rounds, interruption) {
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
            "\(summary.kills) kills", "\(summary.wrongFiles) wrong files",
            "\(summary.lostEntries) lost entries", "\(summary.unexpectedFiles) parts left over",
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

import ArgumentParser
import FaultSuite
import Glibc

struct MonkeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "monkey", abstract: "Does anything to winch at a terminal, session after session.",
        discussion: """
            Each session has a terminal of its own, a batch of odd files from a server that misbehaves, and then keys, \
            pastes, clicks, sizes and signals by lot. Nothing may crash, hang, write what a terminal should not get, \
            or leave the terminal other than it was. A seed brings a session back: --seed S --sessions 1 --verbose.
            """)

    @Argument(help: ArgumentHelp("The built winch.", valueName: "PATH"))
    var winch: String

    @Option(help: "How many sessions.")
    var sessions = 1000

    @Option(help: ArgumentHelp("The first session's seed; the next ones follow.", valueName: "S"))
    var seed: UInt64 = .random(in: 1...999_999)

    @Option(help: "Sessions at a time.")
    var jobs = 8

    @Flag(help: "With a line for each session.")
    var verbose = false

    func run() async throws {
        print("monkey: \(sessions) sessions from seed \(seed)")
        fflush(nil)
        let start = ContinuousClock.now
        var reported = 0
        let summary = await Monkey(winch: absolute(winch), seed: seed, jobs: jobs).run(sessions) { summary, report in
            for failureLog in summary.failureLogs[reported...] { print("✘ " + failureLog) }
            reported = summary.failureLogs.count
            if verbose, let report {
                let ending = report.ending.map { "\($0)" } ?? "nothing"
                print("  seed \(report.seed): \(report.steps) steps, ended with \(ending)")
            }
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

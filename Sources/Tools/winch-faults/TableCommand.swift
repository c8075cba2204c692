import ArgumentParser
import FaultSuite
import Glibc

struct TableCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "table",
        abstract: "Runs the built winch, and other tools, through a table of troubles.",
        discussion: """
            The yardstick for all: a bit-exact file under its name, or an exit code that says no and nothing broken \
            under that name. Winch must besides end with the right code and words, ask no more often than needed and \
            leave nothing behind.
            """)

    @Argument(help: ArgumentHelp("The built winch.", valueName: "PATH"))
    var winch: String

    @Option(help: ArgumentHelp("Only cases whose name holds this.", valueName: "TEXT"))
    var only = ""

    @Flag(help: "Winch alone.")
    var alone = false

    @Flag(help: "With the whole story of each failure.")
    var verbose = false

    @Option(help: "Cases at a time.")
    var jobs = 6

    func run() async throws {
        let tools = [Tool.winch(path: absolute(winch))] + (alone ? [] : Tool.others.filter(\.isInstalled))
        let cases = FaultCase.all.filter { only.isEmpty || $0.name.contains(only) }
        let names = cases.map(\.name.count).max() ?? 0
        let troubles = min(70, cases.map(\.scenario.count).max() ?? 0)
        print(Self.line("case", "what happens", tools.map(\.name), names, troubles))
        var score = Array(repeating: (right: 0, tried: 0), count: tools.count)
        var failureLogs: [String] = []
        await Table(jobs: jobs).run(cases, tools) { faultCase, verdicts in
            print(Self.line(faultCase.name, faultCase.scenario, verdicts.map { Self.cell($0) }, names, troubles))
            fflush(nil)
            for (index, verdict) in verdicts.enumerated() {
                switch verdict {
                case .right: score[index] = (score[index].right + 1, score[index].tried + 1)
                case .wrong(let failureLog):
                    score[index].tried += 1
                    if index == 0 { failureLogs.append("\(faultCase.name): \(failureLog)") }
                case .notApplicable, .skipped: break
                }
            }
        }
        print(
            Self.line(
                "\(cases.count) cases", "right of those tried", score.map { "\($0.right) of \($0.tried)" }, names,
                troubles))
        for failureLog in failureLogs {
            print("\n✘ " + (verbose ? failureLog : String(failureLog.prefix { $0 != "\n" })))
        }
        if !failureLogs.isEmpty { throw ExitCode(1) }
    }

    /// The mark makes wrong verdicts visible without colour.
    private static func cell(_ verdict: Verdict) -> String {
        let first = verdict.words.prefix { $0 != "\n" && $0 != ";" }
        return (verdict.isWrong ? "✘ " : "") + String(first.prefix(24))
    }

    private static func line(_ name: String, _ scenario: String, _ cells: [String], _ names: Int, _ troubles: Int)
        -> String
    {
        let head = padded(name, names) + "  " + padded(String(scenario.prefix(troubles)), troubles)
        return cells.reduce(head) { $0 + "  " + padded($1, 22) }
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}

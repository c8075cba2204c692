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

    @Flag(help: "With output and requests of each failed case.")
    var verbose = false

    @Option(help: "Cases at a time.")
    var jobs = 6

    func run() async throws {
        let cases = FaultCase.all.filter { only.isEmpty || $0.name.contains(only) }
        let table = Table(cases, winch: absolute(winch), jobs: max(1, jobs))
        let names = cases.map(\.name.count).max() ?? 0
        var (right, tried) = (0, 0)
        var failureLogs: [String] = []
        for faultCase in cases {
            let verdict = await table.verdict(on: faultCase)
            let words: String
            switch verdict {
            case .right(let code):
                words = code == 0 ? "whole" : "says no (\(code))"
                (right, tried) = (right + 1, tried + 1)
            case .wrong(let failureLog):
                // The mark makes wrong verdicts visible without colour.
                words = "✘ " + String(failureLog.prefix { $0 != "\n" && $0 != ";" }.prefix(60))
                tried += 1
                failureLogs.append("\(faultCase.name): \(failureLog)")
            case .skipped(let why): words = "skipped: \(why)"
            }
            print(faultCase.name + String(repeating: " ", count: names - faultCase.name.count + 2) + words)
            fflush(nil)
        }
        print("\(right) right of \(tried) tried, \(cases.count - tried) skipped")
        for failureLog in failureLogs {
            print("\n✘ " + (verbose ? failureLog : String(failureLog.prefix { $0 != "\n" })))
        }
        if !failureLogs.isEmpty { throw ExitCode(1) }
    }
}

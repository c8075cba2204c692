import ArgumentParser
import WinchModel
import WinchQueue
import WinchTerminal

/// `winch check FILE`: prints every problem of batch files and downloads nothing.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", _superCommandName: "winch",
        abstract: "Lists every problem of a batch file with its line; exits with 64 if there is an error.")

    @Argument(help: ArgumentHelp("The batch file; - is standard input.", valueName: "FILE"), completion: .file())
    var files: [String]

    func run() throws {
        var batches = Batches(folder: ".", settings: TransferSettings())
        for file in files { batches.add(file: file) }
        batches.read()
        for line in batches.problems + batches.notices { print(PlainText(line)) }
        let (entries, problems) = (batches.specs.count, batches.problems.count)
        print(
            (problems == 0 ? "\(entries) " : "\(entries) valid ") + (entries == 1 ? "entry" : "entries")
                + (problems == 0 ? ", no problems" : ", \(problems) \(problems == 1 ? "problem" : "problems")"))
        if batches.hasErrors { throw ExitCode(RunSummary.usageCode) }
    }
}

import ArgumentParser
import Glibc
import WinchBatch
import WinchFleet
import WinchModel
import WinchTransport

struct FleetSubmit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "submit", abstract: "Puts the entries of lists into the queue of a run.",
        discussion: """
            An entry with the first URL and out= of one that was submitted in the last 24 hours is dropped, so that an \
            interrupted submit is simply repeated. Logins in entries can be read by all who may log in at the server.
            """)

    @OptionGroup var server: FleetServerOptions

    @Option(
        name: [.short, .long], parsing: .singleValue,
        help: ArgumentHelp(
            "A batch or Metalink file, plain or gzip; - is standard input; repeatable.", valueName: "FILE"),
        completion: .file())
    var inputFile: [String] = []

    @Option(help: ArgumentHelp("Servers of a cluster that store each entry, for a new run.", valueName: "N"))
    var replicas = 1

    @Argument(help: ArgumentHelp("What to download, beside the lists.", valueName: "URL"))
    var urls: [String] = []

    func validate() throws {
        guard !inputFile.isEmpty || !urls.isEmpty else { throw ValidationError("name a list: -i FILE") }
        guard (1...5).contains(replicas) else { throw ValidationError("--replicas is 1 to 5") }
    }

    func run() async throws {
        let run = try server.open()
        try await run.open(replicas: replicas)
        let submission = Submission(to: run)
        var hasErrors = false
        if !urls.isEmpty {
            let text = urls.map { $0 + "\n" }.joined()
            try await submit(text.systemBytes, "the command line", to: run, submission, &hasErrors)
        }
        for file in inputFile {
            let bytes: [UInt8]
            do throws(InputFile.Failure) {
                bytes = try InputFile.read(file)
            } catch {
                FleetOutput.report("error: \(error.message)")
                hasErrors = true
                continue
            }
            try await submit(bytes, file, to: run, submission, &hasErrors)
        }
        let count = submission.count
        let doubles = count.duplicates > 0 ? ", \(NumberFormat.count(count.duplicates)) were there already" : ""
        print("\(NumberFormat.count(count.added)) added to run \(run.name)\(doubles)")
        if hasErrors { throw ExitCode(1) }
    }

    private func submit(
        _ bytes: [UInt8], _ file: String, to run: FleetRun, _ submission: Submission, _ hasErrors: inout Bool
    ) async throws {
        // Headers and the reply's subject need some of the server's largest message.
        var reader = FleetEntryReader(
            bytes, isMetalink: Metalink.isName(file), longest: run.jetStream.link.largestBody - 1024)
        try await submission.submit(&reader)
        for problem in reader.problems {
            FleetOutput.report("\(file):\(problem.line): \(problem.severity.rawValue): \(problem.message)")
            hasErrors = hasErrors || problem.severity == .error
        }
    }
}

import ArgumentParser
import WinchBatch
import WinchModel
import WinchQueue
import WinchTerminal
import WinchTransport

/// `winch check FILE`: prints every problem of batch files, and what is in Metalink files, and downloads nothing.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "check", "Lists every problem of a batch file with its line; exits with 64 if there is an error.",
        usage: """
            winch check FILE ... [--shard I/N]
            winch check -r URL/ ... [options of winch]
            """,
        discussion: """
            Of a Metalink file it prints the files, sizes, hashes and mirrors as well. A shard that is set for winch \
            counts here too. With -r it prints the files that 'winch -r' would download, with their sizes.
            """)

    /// - Parameter arguments: of the process, the name of the command first.
    static func isOfFolders(_ arguments: [String]) -> Bool {
        arguments.first == configuration.commandName
            && arguments.prefix { $0 != "--" }.contains { $0 == "-r" || $0 == "--recursive" }
    }

    @Argument(help: .helpText("The batch or Metalink file; - is standard input.", "FILE"), completion: .file())
    var files: [String]

    @Option(help: .helpText("Also count the entries of this part.", "I/N"))
    var shard: String?

    func run() throws {
        let sources = try SettingSources(
            arguments: shard.map { ["--shard=\($0)"] } ?? [], environment: ProcessTexts.environmentWithHome)
        var batches = BatchFiles(folder: ".", settings: TransferSettings(), shard: try sources.shard)
        batches.checksSources = true
        for file in files {
            do throws(InputFile.Failure) {
                let bytes = try InputFile.read(file)
                if Metalink.isName(file) || Metalink.begins(bytes) {
                    for line in MetalinkReport.lines(of: Metalink(bytes), in: file) { print(PlainText(line)) }
                }
                batches.add(bytes, of: file)
            } catch {
                batches.add(error, of: file)
            }
        }
        batches.read()
        for line in batches.problems + batches.notices { print(PlainText(line)) }
        let entries = batches.shard?.listed ?? batches.specs.count
        let problems = batches.problems.count
        print(
            (problems == 0 ? "\(entries) " : "\(entries) valid ") + (entries == 1 ? "entry" : "entries")
                + (problems == 0 ? ", no problems" : ", \(problems) \(problems == 1 ? "problem" : "problems")"))
        if batches.hasErrors { throw ExitCode(RunSummary.usageCode) }
    }
}

enum MetalinkReport {
    static func lines(of metalink: Metalink, in path: String) -> [String] {
        guard !metalink.files.isEmpty else { return [] }
        let count = metalink.files.count
        return ["\(path): \(NumberFormat.count(count)) \(count == 1 ? "file" : "files")"]
            + metalink.files.flatMap { lines(of: $0) }
    }

    private static func lines(of file: MetalinkFile) -> [String] {
        let size = file.size.map { "\(NumberFormat.bytes($0)) (\($0.bytes) bytes)" } ?? "not given"
        let checksum = file.checksum.map { "\($0.algorithm.rawValue)=\($0.hex)" } ?? "none"
        let pieces = file.pieces.map { pieces in
            "\(NumberFormat.count(pieces.count)) of \(NumberFormat.bytes(pieces.length)), \(pieces.algorithm.rawValue)"
        }
        return [file.path.text, "  size      \(size)", "  checksum  \(checksum)", "  pieces    \(pieces ?? "none")"]
            + file.urls.enumerated().map { ($0.offset == 0 ? "  URLs      " : "            ") + $0.element.redacted }
    }
}

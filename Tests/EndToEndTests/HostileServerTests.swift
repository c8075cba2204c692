import FaultServer
import Foundation
import TestSupport
import Testing

@testable import WinchModel
@testable import WinchQueue

/// Runs of the built program against a server that drops, stalls, redirects and lies at random. A failure prints the seed
/// that reproduces it, with the JSON lines of the transfer in question.
@Suite struct `A run against a hostile server` {
    private static let firstSeed = UInt64(ProcessInfo.processInfo.environment["WINCH_SEED"] ?? "") ?? 0

    /// Six runs each, at the same time, since they wait for most of theirs.
    @Test(arguments: 0..<2)
    func `shows correct figures and produces complete files`(block: UInt64) async throws {
        try await FaultServer.serving { server in
            var (files, finished, rebases) = (0, 0, 0)
            try await withThrowingTaskGroup(of: (UInt64, Outcome).self) { group in
                for run in 0..<6 {
                    let seed = Self.firstSeed &+ block * 6 + UInt64(run)
                    group.addTask { (seed, try await download(seed: seed, from: server)) }
                }
                for try await (seed, outcome) in group {
                    if let broken = outcome.broken {
                        Issue.record("seed \(seed): \(broken)")
                    }
                    files += outcome.files
                    finished += outcome.finished
                    rebases += outcome.rebases
                }
            }
            // Otherwise the runs prove nothing.
            expectMore(finished * 2, than: files, "block \(block): \(finished) of \(files)")
            expectMore(rebases, than: 0, "block \(block)")
        }
    }

    private struct Outcome {
        var broken: String?
        var files: Int
        var finished = 0
        var rebases = 0
    }

    private func download(seed: UInt64, from server: FaultServer) async throws -> Outcome {
        var random = SplitMix64(seed: seed)
        let files = (0..<Int.random(in: 1...14, using: &random)).map { MisbehavingFile("s\(seed)-\($0)", &random) }
        let folder = try TestFolder()
        try folder.write(files.map { $0.url(on: server) }.joined(separator: "\n"), to: "urls.txt")
        let mode = Int.random(in: 0..<5, using: &random) == 0 ? "simple" : "accurate"
        let result = try await Program(
            [
                "-i", "urls.txt", "-d", "got", "--output", "json", "--progress", mode,
                "--jobs", "\(Int.random(in: 1...6, using: &random))", "--retry-wait", "0.02", "--max-tries", "4",
            ], in: folder
        ).wait()
        var outcome = Outcome(files: files.count)
        guard result.code != Program.hung, !result.output.isEmpty else {
            outcome.broken = "code \(result.code) \(result.errors)\n" + result.lines.suffix(40).joined(separator: "\n")
            return outcome
        }
        var witness = JSONWitness()
        for (line, text) in zip(try result.events(), result.lines) {
            guard let broken = witness.read(line) else { continue }
            outcome.broken = "\(broken)\n\(history(of: line["id"] as? Int, upTo: text, in: result.lines))"
            return outcome
        }
        outcome.broken = witness.verdict.map { "\($0)\n\(result.lines.suffix(5).joined(separator: "\n"))" }
        for (id, path) in witness.finished {
            let file = files.first { witness.urls[id]?.contains("/f/\($0.name)?") ?? false }
            let name = URL(fileURLWithPath: path).lastPathComponent
            if let file, file.holds(try folder.sha256("got/" + name)) { continue }
            outcome.broken = "\(path) is not whole: \(file?.options ?? [])\n\(history(of: id, in: result.lines))"
        }
        (outcome.finished, outcome.rebases) = (witness.finished.count, witness.rebases)
        return outcome
    }

    /// The JSON lines of one transfer, which show how a rule came to be broken.
    private func history(of id: Int?, upTo last: String? = nil, in lines: [String]) -> String {
        let end = last.flatMap { lines.firstIndex(of: $0) }.map { $0 + 1 } ?? lines.count
        let said = lines[..<end].filter { line in id.map { line.contains("\"id\":\($0),") } ?? true }
        return said.suffix(30).joined(separator: "\n")
    }
}

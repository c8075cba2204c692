import FaultServer
import Foundation

/// What a session leaves on disk: files, parts and the ledger.
struct MonkeyFileCheck: Sendable {
    let plan: MonkeyPlan
    let winch: String
    let scratch: Scratch

    /// The exit codes that the man page names, without 64 (usage): the command lines of sessions are valid.
    static let codes: Set<Int32> = [0, 1, 2, 3, 5, 6, 7, 9, 11, 13, 17, 19, 22, 23, 24, 29, 32]

    func faults(_ requests: [LoggedRequest]) async throws -> [String] {
        try await unexpectedFiles + wrongFiles(requests) + ledgerFaults()
    }

    /// Runs the batch once more, without a screen and with short time limits.
    func runAgain(_ requests: () -> [LoggedRequest]) async throws -> [String] {
        let child = try Child(
            winch,
            [
                "-i", plan.batchName, "-d", "got", "--output", "json", "--max-tries", "1", "--timeout", "2",
                "--max-time", "3", "--connect-timeout", "2", "-j", "16", "--per-host", "16",
            ], in: scratch.path, environment: MonkeyProcess.environment(plan, scratch),
            streams: .together(scratch["output"]))
        guard let code = try await child.end(within: 60) else { return ["run again, it hangs"] }
        var faults = wrongFiles(requests()) + unexpectedFiles
        if !Self.codes.contains(code) {
            faults.append("run again, it ends with \(code): \(scratch.text("output").suffix(400))")
        }
        return faults
    }

    private var unexpectedFiles: [String] {
        let known: Set = [
            "got", "home", "state", "config", "bin", plan.batchName, MonkeyUploads.folder, "pid", "code", "stops", "go",
            "over", "output", "core",
        ]
        let names = (try? FileManager.default.contentsOfDirectory(atPath: scratch.path)) ?? []
        var unexpectedFiles = names.filter { !known.contains($0) }
        // The key `W` writes the settings file; random bytes may contain it.
        let config = scratch.files(below: "config").subtracting(["winch/winch.conf"])
        unexpectedFiles += scratch.files(below: "home").union(config).sorted()
        unexpectedFiles += scratch.files(below: "state").filter { name in
            // The key & leaves the rest to a session.
            !name.hasPrefix("winch/ledger.") && !name.hasPrefix("winch/session.") && name != "winch"
                || name.contains("damaged")
        }
        return unexpectedFiles.map { "\($0.debugDescription) was made outside the folder" }
    }

    /// Each file under its final name must have the content that one of the requests asked for.
    private func wrongFiles(_ requests: [LoggedRequest]) -> [String] {
        let served = requests.filter { $0.method == "GET" }.compactMap(\.served)
        return scratch.files(below: "got").sorted().compactMap { name in
            if name.hasSuffix(".part") { return nil }
            var status = stat()
            guard lstat(scratch["got/" + name], &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
            let candidates = served.filter { $0.size == Int64(status.st_size) }
            let path = "got/" + name
            if candidates.contains(where: { scratch.fault(of: path, wanting: .seeded($0.seed, size: $0.size)) == nil })
            {
                return nil
            }
            return "\(name.debugDescription) (\(status.st_size) bytes) is nothing that the server has"
        }
    }

    private func ledgerFaults() async throws -> [String] {
        let child = try Child(
            winch, ["history", "--json"], in: scratch.path, environment: MonkeyProcess.environment(plan, scratch),
            streams: .together(scratch["output"]))
        let code = try await child.end(within: 20)
        return code == 0 ? [] : ["winch history ends with \(code ?? -1): \(scratch.text("output").suffix(300))"]
    }
}

import FaultServer
import Foundation
import TestSupport

/// One session: random input to winch in a terminal, from its start to the check of the files that it leaves.
struct MonkeySession: Sendable {
    private let plan: MonkeyPlan
    private let winch: String
    private let scratch: Scratch
    private let server: FaultServer

    /// The exit codes that the man page names, without 64 (usage): the command lines of sessions are valid.
    static let codes: Set<Int32> = [0, 1, 2, 3, 5, 6, 7, 9, 11, 13, 17, 19, 22, 23, 24, 29, 32]

    static func report(winch: String, seed: UInt64) async throws -> RunReport {
        try await FaultServer.serving { server -> RunReport in
            let plan = MonkeyPlan(seed: seed, origin: server.origin)
            let session = MonkeySession(plan: plan, winch: winch, scratch: try Scratch(), server: server)
            return try await session.report()
        }
    }

    private func report() async throws -> RunReport {
        for folder in ["bin", MonkeyUploads.folder] { try scratch.create(.folder, at: folder) }
        try scratch.write(plan.batch, to: plan.batchName)
        for (name, size) in MonkeyUploads.files {
            try scratch.create(.served(name, size: size), at: MonkeyUploads.folder + "/" + name)
        }
        var report = try await Self.onThread { try MonkeyRunner(plan, winch: winch, in: scratch).report() }
        report.faults += try await strays + wrongFiles + faults(of: ["history", "--json"], codes: [0])
        if plan.runsAgain {
            // Without a screen and with short time limits.
            let words = [
                "-i", plan.batchName, "-d", "got", "--output", "json", "--max-tries", "1", "--timeout", "2",
                "--max-time", "3", "--connect-timeout", "2", "-j", "16", "--per-host", "16",
            ]
            report.faults += try await faults(of: words, codes: Self.codes) + strays + wrongFiles
        }
        report.faults += uploadFaults
        // The key & may have left the rest to a session.
        report.faults += try await faults(of: ["stop"], codes: [0, 69])
        return report
    }

    /// Waiting for a terminal blocks a thread: it must not be one of the pool that tasks share.
    private static func onThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws
        -> Result
    {
        try await withCheckedThrowingContinuation { continuation in
            let thread = Thread { continuation.resume(with: Swift.Result(catching: body)) }
            thread.stackSize = 4 << 20
            thread.start()
        }
    }

    /// Runs winch once more, in the session's environment.
    private func faults(of words: [String], codes: Set<Int32>) async throws -> [String] {
        let child = try scratch.run(winch, words, environment: plan.environment(in: scratch))
        let code = try await child.end(within: 60)
        if let code, codes.contains(code) { return [] }
        let ending = code.map { "ends with \($0)" } ?? "hangs"
        return ["winch \(words.joined(separator: " ")) \(ending): \(scratch.text("output").suffix(400))"]
    }

    private var strays: [String] {
        let known: Set = [
            "got", "home", "state", "config", "bin", plan.batchName, MonkeyUploads.folder, "pid", "code", "stops", "go",
            "over", "output", "core",
        ]
        let state = scratch.files(below: "state").filter { name in
            // The key & leaves the rest to a session.
            let isKnown = ["winch/ledger.", "winch/session."].contains { name.hasPrefix($0) } || name == "winch"
            return !isKnown || name.contains(".old-")
        }
        let unknown = scratch.names.subtracting(known).union(state).union(scratch.files(below: "home"))
            // The key `W` writes the settings file; random bytes may contain it.
            .union(scratch.files(below: "config").subtracting(["winch/winch.conf"]))
            .union(scratch.files(below: MonkeyUploads.folder).subtracting(MonkeyUploads.files.map(\.name)))
        return unknown.sorted().map { "\($0.debugDescription) was made outside the folder" }
    }

    /// Each file under its final name must have the content that one of the requests asked for.
    private var wrongFiles: [String] {
        let served = server.requests.filter { $0.method == "GET" }.compactMap(\.served)
        return scratch.files(below: "got").sorted().compactMap { name in
            guard !name.hasSuffix(".part"), let size = scratch.size("got/" + name) else { return nil }
            let isRight = served.contains {
                $0.size == size && scratch.fault(of: "got/" + name, wanting: .seeded($0.seed, size: size)) == nil
            }
            return isRight ? nil : "\(name.debugDescription) (\(size) bytes) is nothing that the server has"
        }
    }

    /// The uploaded files are as they were, and each one that the server has whole is one of them.
    private var uploadFaults: [String] {
        let contents = MonkeyUploads.files.map { Content.served($0.name, size: $0.size) }
        var faults = zip(MonkeyUploads.files, contents).compactMap { file, content in
            scratch.fault(of: MonkeyUploads.folder + "/" + file.name, wanting: content)
                .map { "\(file.name), which was uploaded, \($0)" }
        }
        let paths = Set(server.uploads.filter { $0.method == "PUT" || $0.path.hasPrefix("/up/post") }.map(\.path))
        var received = server.tusUploads.filter(\.isComplete).map { (path: "tus", bytes: $0.bytes) }
        for path in paths.sorted() {
            guard let bytes = server.uploaded(String(path.dropFirst("/up/".count))) else { continue }
            received.append((path: path, bytes: bytes))
        }
        for (path, bytes) in received where !contents.contains(where: { $0.bytes == Data(bytes) }) {
            faults.append("\(path) received \(bytes.count) bytes of no file")
        }
        return faults
    }
}

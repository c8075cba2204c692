import FaultServer
import Foundation
import TestSupport
import Testing

/// The files for schedulers in Resources, run as the scheduler would run them.
@Suite struct `The file for a scheduler` {
    private static let folder = TusServer.project.appending(path: "Resources/schedulers")

    private func text(_ name: String) throws -> String {
        try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
    }

    /// Runs a shell command in which `winch` is the built program.
    private func shell(_ command: String, in folder: TestFolder, _ variables: [String: String]) async throws -> Int32? {
        var environment = Program.environment(in: folder).merging(variables) { _, new in new }
        environment["PATH"] = Product.folder.path + ":/usr/bin:/bin"
        let line = "cd '\(folder.url.path)'; " + command
        return try await InstalledTool.code("/bin/sh", ["-c", line], environment: environment)
    }

    private func list(_ count: Int, of server: FaultServer, in folder: TestFolder) throws {
        try folder.write((0..<count).map { server.url("\($0).bin", "size=10") }.joined(separator: "\n"), to: "urls.txt")
    }

    @Test func `of Slurm fetches the whole list in its tasks, and one task again`() async throws {
        let script = Self.folder.appending(path: "winch-array.slurm").path
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            try list(16, of: server, in: folder)
            func task(_ id: Int, _ first: Int, _ last: Int, _ more: String = "") async throws -> Int32? {
                let variables = [
                    "SLURM_ARRAY_TASK_ID": "\(id)", "SLURM_ARRAY_TASK_MIN": "\(first)", "SLURM_ARRAY_TASK_STEP": "1",
                    "SLURM_ARRAY_TASK_MAX": "\(last)", "SLURM_ARRAY_TASK_COUNT": "\(last - first + 1)",
                ]
                return try await shell("sh '\(script)' urls.txt data \(more)", in: folder, variables)
            }
            for id in 0..<3 { try await expectEqual(task(id, 0, 2), 0) }
            for number in 0..<16 { expectEqual(server.downloads(of: "\(number).bin"), 1) }
            try expectEqual(folder.names("data"), (0..<16).map { "\($0).bin" }.sorted())
            server.forget()
            try await expectEqual(task(2, 2, 2), 64, "one task alone is not taken for the whole list")
            try await expectEqual(task(2, 2, 2, "3"), 0)
            expect(server.requests.isEmpty)
        }
    }

    /// With the few rules of YAML that the file uses; CI has no parser of it.
    @Test func `of Kubernetes fetches a part of the list in each pod`() async throws {
        let yaml = try text("winch-job.yaml").replacing(#/(?m)^\s*#.*\n/#, with: "")
        let body = try require(yaml.firstMatch(of: #/args: \[([^\]]*)\]/#)).1
        let words = body.matches(of: #/"([^"]*)"/#).map { String($0.1) }
        expectEqual(words.prefix(2), ["-i", "/list/urls.txt"])
        expect(yaml.contains("command: [\"winch\"]"))
        expect(yaml.contains("completionMode: Indexed"))
        let shard = try require(yaml.firstMatch(of: #/name: WINCH_SHARD\n\s*value: auto\/(\d+)/#)).1
        expect(yaml.contains("completions: \(shard)\n"))
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            try list(24, of: server, in: folder)
            for index in 0..<2 {
                let arguments = words.map {
                    $0.replacingOccurrences(of: "/list/", with: folder.path("") + "/")
                        .replacingOccurrences(of: "/data", with: folder.path("data"))
                        .replacingOccurrences(of: "$(JOB_COMPLETION_INDEX)", with: "\(index)")
                }
                let result = try await Program(
                    arguments, in: folder,
                    environment: ["WINCH_SHARD": "auto/\(shard)", "JOB_COMPLETION_INDEX": "\(index)"]
                ).wait()
                expect(result.code == 0 && result.errors.contains("shard \(index)/\(shard): "), "\(result.errors)")
            }
            for number in 0..<24 { expectAtMost(server.downloads(of: "\(number).bin"), 1) }
        }
    }

    @Test func `of systemd is a unit that it accepts, and fetches a part`() async throws {
        let folder = try TestFolder()
        let unit = try text("winch-shard@.service")
            .replacingOccurrences(of: "/usr/local/bin/winch", with: Program.winch)
            .replacing(#/(?m)^Documentation=.*\n/#, with: "")
        try folder.write(unit, to: "winch-shard@.service")
        let runtime = folder.path("runtime")
        try FileManager.default.createDirectory(atPath: runtime, withIntermediateDirectories: true)
        if FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-analyze") {
            let command = "systemd-analyze verify --user ./winch-shard@.service 2>problems"
            let code = try await shell(command, in: folder, ["XDG_RUNTIME_DIR": runtime])
            expectEqual(code, 0)
            try expectEqual(folder.text("problems"), "")
        }
        try await FaultServer.serving { server in
            // So many that no part is empty, whatever the port of the server.
            try list(200, of: server, in: folder)
            let line = try require(unit.firstMatch(of: #/ExecStart=\S+ (.*)/#)).1
            let words = line.replacing("%i", with: "3").replacing("${SHARDS}", with: "8").split(separator: " ")
            let result = try await Program(words.map(String.init), in: folder).wait()
            expectEqual(result.code, 0, "\(result.errors)")
            let downloads = server.requests.count { $0.method == "GET" }
            expectEqual(downloads, (try folder.names("files").count))
            expect(result.errors.contains("shard 3/8: "), "\(result.errors)")
        }
    }
}

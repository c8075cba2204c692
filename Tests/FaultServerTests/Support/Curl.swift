import Foundation
import TestSupport
import Testing

/// The installed curl, as a client that is not of this project.
struct Curl {
    /// 0: it succeeded.
    let code: Int32
    /// The answer's body, and what `--write-out` asks for.
    let output: String

    /// - Parameter input: its standard input, and the file that the argument `INPUT` stands for.
    static func run(_ arguments: String..., input: [UInt8] = []) async throws -> Curl {
        try await run(arguments, input: input)
    }

    static func run(_ arguments: [String], input: [UInt8] = []) async throws -> Curl {
        let folder = FileManager.default.temporaryDirectory.appending(path: "winch-curl-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = try ["in", "out"].map { name in
            let path = folder.appending(path: name).path
            _ = FileManager.default.createFile(atPath: path, contents: name == "in" ? Data(input) : nil)
            return try require(FileHandle(forUpdatingAtPath: path))
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/curl")
        process.arguments =
            ["-sS", "--max-time", "20", "--noproxy", "*"]
            + arguments.map { $0 == "INPUT" ? folder.appending(path: "in").path : $0 }
        process.standardInput = files[0]
        process.standardOutput = files[1]
        process.standardError = FileHandle.nullDevice
        await withCheckedContinuation { continuation in
            process.terminationHandler = { _ in continuation.resume() }
            do { try process.run() } catch {
                Issue.record("curl is missing: \(error)")
                process.terminationHandler = nil
                continuation.resume()
            }
        }
        let output = try String(contentsOf: folder.appending(path: "out"), encoding: .utf8)
        return Curl(code: process.terminationStatus, output: output)
    }
}

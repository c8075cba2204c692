import Foundation

/// The built program, run as a script would run it.
struct Program {
    let process = Process()
    let folder: Scratch
    private let output: URL
    private let errors: URL

    /// Where the build put the executables: beside the test bundle.
    static let products: URL = {
        let me = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let named = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
        let isHere = { (folder: URL) in
            FileManager.default.isExecutableFile(atPath: folder.appending(path: "winch").path)
        }
        return isHere(me) ? me : named
    }()

    static var winch: String { products.appending(path: "winch").path }

    /// What it left behind.
    struct Result {
        var code: Int32
        var output: String
        var errors: String

        var lines: [String] { output.split(separator: "\n").map(String.init) }

        /// Standard output as JSON objects, a line each.
        func events() throws -> [[String: Any]] {
            try output.split(separator: "\n").map { line in
                let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
                return try (object as? [String: Any]).unwrapped("an object: \(line)")
            }
        }
    }

    init(_ arguments: [String], in folder: Scratch, environment: [String: String] = [:], input: String? = nil) throws {
        self.folder = folder
        output = folder.url.appending(path: ".out-\(UUID())")
        errors = folder.url.appending(path: ".err-\(UUID())")
        for file in [output, errors] { _ = FileManager.default.createFile(atPath: file.path, contents: nil) }
        process.executableURL = URL(fileURLWithPath: Self.winch)
        process.arguments = arguments
        process.currentDirectoryURL = folder.url
        process.environment = ["PATH": "/usr/bin:/bin", "HOME": folder.url.path, "LANG": "C.UTF-8"]
            .merging(environment) { _, new in new }
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        if let input {
            let file = folder.url.appending(path: ".in-\(UUID())")
            try Data(input.utf8).write(to: file)
            process.standardInput = try FileHandle(forReadingFrom: file)
        } else {
            process.standardInput = FileHandle.nullDevice
        }
        try process.run()
    }

    func signal(_ signal: Int32) { kill(process.processIdentifier, signal) }

    var outputSoFar: String { (try? String(contentsOf: output, encoding: .utf8)) ?? "" }

    /// Waits for the end; a program that hangs is killed after `seconds` and reported with code -1.
    func wait(seconds: Double = 60) async throws -> Result {
        let deadline = Date.now.addingTimeInterval(seconds)
        while process.isRunning, Date.now < deadline { try await Task.sleep(for: .milliseconds(10)) }
        let hangs = process.isRunning
        if hangs { signal(SIGKILL) }
        process.waitUntilExit()
        let isSignalled = process.terminationReason == .uncaughtSignal
        let status = process.terminationStatus
        return Result(
            code: hangs ? -1 : isSignalled ? -status : status,
            output: try String(contentsOf: output, encoding: .utf8),
            errors: try String(contentsOf: errors, encoding: .utf8))
    }

    static func run(
        _ arguments: String..., in folder: Scratch, environment: [String: String] = [:], input: String? = nil
    ) async throws -> Result {
        try await Program(arguments, in: folder, environment: environment, input: input).wait()
    }
}

struct Missing: Error {
    let what: String
}

extension Optional {
    func unwrapped(_ what: String) throws -> Wrapped {
        guard let self else { throw Missing(what: what) }
        return self
    }
}

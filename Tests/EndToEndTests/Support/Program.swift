import Foundation
import TestSupport

/// The built program, run as a script would run it.
struct Program {
    private let child: Child
    /// Keeps the folder while the program runs in it.
    private let folder: TestFolder
    private let output: URL
    private let errors: URL

    /// Nothing from the environment of the user who runs the tests: state and settings are kept in the test's folder. Each
    /// file has one connection, because most tests count requests and bytes of servers that are slow on purpose;
    /// `SplitFileTests` is about several.
    static func environment(in folder: TestFolder) -> [String: String] {
        [
            "PATH": "/usr/bin:/bin:/usr/sbin", "LANG": "C.UTF-8", "HOME": folder.url.path,
            "XDG_STATE_HOME": folder.path(".state"), "XDG_CONFIG_HOME": folder.path(".config"),
            "WINCH_SPLIT": "1",
        ]
    }

    static var winch: String { Product.path("winch") }

    /// The exit code and the output.
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

    init(_ arguments: [String], in folder: TestFolder, environment: [String: String] = [:], input: String? = nil) throws
    {
        self.folder = folder
        output = folder.url.appending(path: ".out-\(UUID())")
        errors = folder.url.appending(path: ".err-\(UUID())")
        let file = input.map { _ in folder.url.appending(path: ".in-\(UUID())") }
        if let file, let input { try Data(input.utf8).write(to: file) }
        child = try Child(
            Self.winch, arguments, in: folder.url.path,
            environment: Self.environment(in: folder).merging(environment) { _, new in new },
            streams: .files(input: file?.path, output: output.path, errors: errors.path))
    }

    var pid: Int32 { child.pid }

    func signal(_ number: Int32) { child.signal(number) }

    /// The command line as `ps` shows it to all users.
    func commandLine() throws -> String {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: "/proc/\(child.pid)/cmdline"))
        return String(decoding: bytes.map { $0 == 0 ? 0x20 : $0 }, as: UTF8.self)
    }

    var outputSoFar: String { (try? String(contentsOf: output, encoding: .utf8)) ?? "" }

    static let hung: Int32 = 999

    /// Waits for the end; a program that hangs is killed after `seconds` and reported as `hung`.
    func wait(seconds: Double = 60) async throws -> Result {
        let ending = try await child.end(within: seconds)
        return Result(
            code: ending ?? Self.hung,
            output: try String(contentsOf: output, encoding: .utf8),
            errors: try String(contentsOf: errors, encoding: .utf8))
    }

    static func run(
        _ arguments: String..., in folder: TestFolder, environment: [String: String] = [:], input: String? = nil
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

import TestSupport

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
        let folder = try TemporaryFolder()
        folder.write("in", input)
        let source = folder.path + "/in"
        let words = ["-sS", "--max-time", "20", "--noproxy", "*"] + arguments.map { $0 == "INPUT" ? source : $0 }
        let child = try Child(
            "/usr/bin/curl", words, streams: .files(input: source, output: folder.path + "/out"))
        let code = try await require(child.end(within: 60))
        return Curl(code: code, output: String(decoding: try folder.bytes("out"), as: UTF8.self))
    }
}

import Foundation
import Glibc

/// `openssl s_server`: each call sends its text as one TLS record. One connection at a time.
final class ScriptedTLSServer {
    /// `https://localhost:PORT/`.
    let origin: String
    private let process = Process()
    private let input = Pipe()
    private let log: URL
    private let folder: URL

    init() async throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "winch-tls-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let (key, certificate) = (folder.appending(path: "key").path, folder.appending(path: "cert").path)
        log = folder.appending(path: "log")
        let maker = Process()
        maker.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        maker.arguments = [
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
            "-subj", "/CN=localhost", "-keyout", key, "-out", certificate,
        ]
        maker.standardError = FileHandle.nullDevice
        try maker.run()
        maker.waitUntilExit()
        try Data().write(to: log)
        process.executableURL = maker.executableURL
        process.arguments = ["s_server", "-accept", "127.0.0.1:0", "-cert", certificate, "-key", key]
        process.standardInput = input
        process.standardOutput = try FileHandle(forWritingTo: log)
        process.standardError = FileHandle.nullDevice
        try process.run()
        var port: Int?
        while port == nil {
            try await Task.sleep(for: .milliseconds(5))
            let text = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
            port = text.firstRange(of: "ACCEPT 127.0.0.1:").flatMap { found in
                let rest = text[found.upperBound...]
                return rest.contains("\n") ? Int(rest.prefix { $0.isNumber }) : nil
            }
        }
        origin = "https://127.0.0.1:\(port ?? 0)/"
    }

    deinit {
        process.terminate()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Sends `text` as one record.
    func send(_ text: String) throws { try input.fileHandleForWriting.write(contentsOf: Data(text.utf8)) }

    /// Returns when the client has sent this.
    func wait(for words: String) async throws {
        while !(try String(decoding: Data(contentsOf: log), as: UTF8.self)).contains(words) {
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    /// The number of connections so far.
    var connections: Int {
        get throws {
            let text = try String(decoding: Data(contentsOf: log), as: UTF8.self)
            return text.ranges(of: "BEGIN SSL SESSION PARAMETERS").count
        }
    }
}

import Foundation
import TestSupport

/// tuspyserver from PyPI, on loopback, which `setup.sh test` installs into `.build/tus`.
final class TusServer {
    /// Where uploads are created; ends in a slash.
    let url: String
    /// What arrived, under names of the server's choice, each with its `NAME.info`.
    let root: TestFolder
    private let home: TestFolder
    private let server: Child
    private let held: HeldPort

    static let project = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    private static let python = project.appending(path: ".build/tus/bin/python").path

    /// Whether it could be installed.
    static let isInstalled = FileManager.default.fileExists(
        atPath: project.appending(path: ".build/tus/ready").path)

    init() async throws {
        home = try TestFolder()
        try home.makeFolder("files")
        root = try TestFolder(inside: home.url.appending(path: "files"))
        held = try HeldPort()
        let port = held.number
        url = "http://127.0.0.1:\(port)/files/"
        let script = Self.project.appending(path: "Tests/Scripts/tus-server.py").path
        server = try Child(
            Self.python, [script, String(port), root.url.path], streams: .together(home.path("log")))
        let home = home
        try await held.wait(for: server, "tuspyserver") { try home.text("log") }
    }

    /// The names of what arrived, complete or not.
    func uploads() throws -> [String] { try root.names().filter { !$0.hasSuffix(".info") } }

    deinit { server.signal(SIGKILL) }
}

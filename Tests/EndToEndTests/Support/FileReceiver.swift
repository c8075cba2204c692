import Foundation
import Glibc
import TestSupport

/// A server that takes uploads by FTP or SFTP, with what a client needs for it.
struct FileReceiver {
    enum Kind: String, CaseIterable {
        case ftp, ftps, explicit, explicitRequired, sftp

        /// One with commands in plain text, one with SSH.
        static let plain: [Kind] = [.ftp, .sftp]
    }

    let root: TestFolder
    let ftp: FTPServer?
    private let ssh: SSHServer?

    /// - Parameters:
    ///   - denied: what the server does not know, in the words of its protocol.
    ///   - subsystem: a shell script that serves SFTP.
    init(_ kind: Kind, denied: [String] = [], subsystem: String? = nil) async throws {
        let security: FTPServer.Security? =
            switch kind {
            case .ftp: FTPServer.Security.none
            case .ftps: .implicit
            case .explicit: .explicit
            case .explicitRequired: .explicitRequired
            case .sftp: nil
            }
        if let security {
            let server = try await FTPServer(security: security, receives: true, denied: denied)
            (ftp, ssh, root) = (server, nil, server.root)
        } else {
            let server = try await SSHServer(subsystem: subsystem, denied: denied)
            (ftp, ssh, root) = (nil, server, server.root)
        }
    }

    /// - Parameter path: in the server's folder, percent-encoded.
    func url(_ path: String) -> String {
        ssh.map { $0.url(root.path(path)) } ?? ftp.map { $0.address + "/" + path } ?? ""
    }

    /// The folder itself.
    var folderURL: String { url("").trimmed + "/" }

    /// What the program needs in its environment.
    var environment: [String: String] { ssh.map { ["HOME": $0.clientHome.url.path] } ?? [:] }

    /// The program, started in the folder. Its state is kept there, so that a later run goes on.
    func start(_ arguments: [String], in folder: TestFolder) throws -> Program {
        var options = ["--output", "json", "--retry-wait", "0.1"]
        if let ftp, ftp.isSecured { options += ["--cacert", ftp.certificate] }
        return try Program(arguments + options, in: folder, environment: environment)
    }

    func run(_ arguments: String..., in folder: TestFolder) async throws -> Program.Result {
        try await start(arguments, in: folder).wait()
    }

    /// All names at the server, hidden ones too.
    func names(_ folder: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? root.url.path : root.path(folder)).sorted()
    }

    /// The number of logins so far.
    func logins() throws -> Int {
        if let ftp { return try ftp.commands().count { $0.hasPrefix("USER ") } }
        return try ssh?.log().split(separator: "\n").count { $0.contains("Accepted ") } ?? 0
    }

    /// The name of the temporary file; `nil`: there is none.
    func temporary() throws -> String? { try names().first { $0.hasPrefix(".winch-") } }

    /// Waits until the temporary file has so many bytes.
    func wait(toHave least: Int) async throws {
        try await eventually("\(least) bytes at the server") { try temporary().map(root.size) ?? 0 >= least }
    }

    /// Its connections end, as when its machine loses power.
    func killSessions() {
        ftp?.killSessions()
        ssh?.killSessions()
    }
}

extension String {
    fileprivate var trimmed: String { hasSuffix("/") ? String(dropLast()) : self }
}

extension TestFolder {
    /// Bytes that no other call writes.
    func writeRandom(_ count: Int, to name: String) throws {
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/dev/urandom"))
        defer { try? file.close() }
        try (file.read(upToCount: count) ?? Data()).write(to: url.appending(path: name))
    }

    func bytes(_ name: String) throws -> Data { try Data(contentsOf: url.appending(path: name)) }

    /// Makes a FIFO, and writes to it on a thread of its own once another process has opened it for reading.
    func feed(_ content: Data, to name: String) {
        let path = path(name)
        mkfifo(path, 0o600)
        Thread {
            Glibc.signal(SIGPIPE, SIG_IGN)
            guard let output = FileHandle(forWritingAtPath: path) else { return }
            try? output.write(contentsOf: content)
            try? output.close()
        }.start()
    }
}

extension Program.Result {
    /// Bytes that left the machine.
    func sentBytes() throws -> Int {
        try events().reduce(0) { $0 + ($1["event"] as? String == "moved" ? max(0, $1["delta"] as? Int ?? 0) : 0) }
    }

    /// Of the one transfer that failed.
    func reason() throws -> String {
        try (events().last { $0["event"] as? String == "failed" }?["reason"] as? String).unwrapped(
            "a failure: \(output)")
    }
}

extension Child {
    /// Processes that it has started and those that they have.
    func killChildren() {
        var found: [pid_t] = []
        var parents = [pid]
        while let parent = parents.popLast() {
            let list = (try? String(contentsOfFile: "/proc/\(parent)/task/\(parent)/children", encoding: .utf8)) ?? ""
            let children = list.split(separator: " ").compactMap { pid_t($0.trimmingCharacters(in: .whitespaces)) }
            found += children
            parents += children
        }
        for pid in found { kill(pid, SIGKILL) }
    }
}

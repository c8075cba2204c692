import Foundation
import TestSupport

/// OpenSSH's server from Debian, on loopback, for the user that runs the tests and a key of their own.
final class SSHServer {
    /// The user's side.
    struct Client {
        /// `rsa`, `ed25519`, `ecdsa`: the key that the server takes.
        var key = "ecdsa"
        /// The key's file in `~/.ssh`.
        var file = "id_ecdsa"
        /// The key's passphrase; empty: none.
        var passphrase = ""
        /// The server's keys are in known_hosts.
        var knowsServer = true
    }

    /// `HOME` for clients: the key and the known host are in it.
    let clientHome: TestFolder
    let port: Int
    /// A folder for uploads.
    let root: TestFolder
    private let home: TestFolder
    private let server: Child
    private let held: HeldPort

    /// - Parameters:
    ///   - subsystem: a shell script that serves SFTP; `nil`: the server itself does.
    ///   - denied: requests of SFTP that the server refuses: `rename`, `posix-rename`, `fsync`, `mkdir`.
    ///   - hostKeys: types of the server's own keys.
    init(
        subsystem: String? = nil, denied: [String] = [], hostKeys: [String] = ["ed25519"], client: Client = Client()
    ) async throws {
        let home = try TestFolder()
        self.home = home
        clientHome = try TestFolder()
        root = try TestFolder()
        held = try HeldPort()
        port = held.number
        try FileManager.default.createDirectory(
            atPath: clientHome.path(".ssh"), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        // sshd's folder for privilege separation, which Debian's service would make.
        if getuid() == 0 {
            try FileManager.default.createDirectory(atPath: "/run/sshd", withIntermediateDirectories: true)
        }
        for type in hostKeys { try await Self.makeKey(type, at: home.path("host_\(type)")) }
        let keyFile = clientHome.path(".ssh/\(client.file)")
        try await Self.makeKey(client.key, at: keyFile, passphrase: client.passphrase)
        if let subsystem { try home.writeScript(subsystem, to: "subsystem") }
        let own = denied.isEmpty ? "internal-sftp" : "internal-sftp -P \(denied.joined(separator: ","))"
        try home.write(
            """
            Port \(port)
            ListenAddress 127.0.0.1
            \(hostKeys.map { "HostKey \(home.path("host_\($0)"))" }.joined(separator: "\n"))
            AuthorizedKeysFile \(keyFile).pub
            # Older builds of libssh2 sign in with RSA in no other way.
            PubkeyAcceptedAlgorithms +ssh-rsa
            StrictModes no
            UsePAM no
            PidFile none
            PermitRootLogin yes
            Subsystem sftp \(subsystem == nil ? own : home.path("subsystem"))

            """, to: "sshd.conf")
        server = try Child("/usr/sbin/sshd", ["-D", "-E", home.path("log"), "-f", home.path("sshd.conf")])
        try await held.wait(for: server, "sshd")
        if client.knowsServer { try knowServer(by: hostKeys) }
    }

    static func makeKey(_ type: String, at path: String, passphrase: String = "") async throws {
        try await InstalledTool.run(
            "/usr/bin/ssh-keygen",
            ["-q", "-t", type, "-N", passphrase, "-f", path] + (type == "ed25519" ? [] : ["-m", "PEM"]))
    }

    /// Its connections end, as when its machine loses power.
    func killSessions() { server.killChildren() }

    /// What it wrote about its connections.
    func log() throws -> String { try home.text("log") }

    /// - Parameter path: from the root of the file system.
    func url(_ path: String, host: String? = nil) -> String {
        "sftp://" + (host ?? "\(NSUserName())@127.0.0.1:\(port)") + path
    }

    /// As known_hosts names it.
    var name: String { "[127.0.0.1]:\(port)" }

    /// A line for known_hosts.
    func line(_ type: String) throws -> String {
        try "\(name) " + home.text("host_\(type).pub").split(separator: " ").prefix(2).joined(separator: " ")
    }

    /// Writes known_hosts anew.
    func knowServer(by types: [String]) throws {
        try clientHome.write(types.map { try line($0) + "\n" }.joined(), to: ".ssh/known_hosts")
    }

    /// `SHA256:...`
    func fingerprint(_ type: String) async throws -> String {
        let words = try await InstalledTool.run("/usr/bin/ssh-keygen", ["-l", "-f", home.path("host_\(type).pub")])
        return String(try words.split(separator: " ").dropFirst().first.unwrapped("a fingerprint"))
    }

    /// The user's program, with the user's home.
    func winch(_ arguments: String..., in folder: TestFolder) async throws -> Program.Result {
        let program = try Program(
            arguments + ["--ephemeral", "--output", "plain"], in: folder, environment: ["HOME": clientHome.url.path])
        return try await program.wait()
    }

    deinit { server.signal(SIGTERM) }
}

import FaultSuite
import Foundation

/// OpenSSH's server from Debian, on loopback, for the user that runs the tests and a key of their own.
final class SSHServer {
    /// `HOME` for clients: the key and the known host are in it.
    let clientHome: Scratch
    private let home: Scratch
    private let server: Child
    private let port: Int

    init() async throws {
        home = try Scratch()
        clientHome = try Scratch()
        port = try LocalPort.free()
        try FileManager.default.createDirectory(atPath: clientHome.path(".ssh"), withIntermediateDirectories: true)
        // Where the server puts itself behind bars; made by Debian's service otherwise.
        if getuid() == 0 {
            try FileManager.default.createDirectory(atPath: "/run/sshd", withIntermediateDirectories: true)
        }
        for (type, file) in [("ed25519", home.path("host")), ("rsa", clientHome.path(".ssh/id_rsa"))] {
            try await Tool.run("/usr/bin/ssh-keygen", ["-q", "-t", type, "-m", "PEM", "-N", "", "-f", file])
        }
        let host = try home.text("host.pub").split(separator: " ").prefix(2).joined(separator: " ")
        try clientHome.write("[127.0.0.1]:\(port) \(host)\n", to: ".ssh/known_hosts")
        try home.write(
            """
            Port \(port)
            ListenAddress 127.0.0.1
            HostKey \(home.path("host"))
            AuthorizedKeysFile \(clientHome.path(".ssh/id_rsa.pub"))
            # Older builds of libssh2 sign in no other way.
            PubkeyAcceptedAlgorithms +ssh-rsa
            StrictModes no
            UsePAM no
            PidFile none
            PermitRootLogin yes
            Subsystem sftp internal-sftp

            """, to: "sshd.conf")
        server = try Child("/usr/sbin/sshd", ["-D", "-f", home.path("sshd.conf")])
        try await LocalPort.wait(for: port, server, "sshd")
    }

    /// - Parameter path: from the root of the file system.
    func url(_ path: String) -> String { "sftp://\(NSUserName())@127.0.0.1:\(port)\(path)" }

    deinit { server.signal(SIGTERM) }
}

import Foundation
import TestSupport

/// vsftpd from Debian, on loopback, with anonymous login.
final class FTPServer {
    let root: TestFolder
    let address: String
    let isSecured: Bool
    private let home: TestFolder
    private let server: Child
    private let held: HeldPort

    enum Security {
        case none
        /// TLS from the first byte, `ftps://`.
        case implicit
        /// AUTH TLS when the client asks for it.
        case explicit
        /// Nothing but AUTH TLS works without TLS.
        case explicitRequired
    }

    /// What makes the server trusted when it is secured.
    var certificate: String { home.path("cert.pem") }

    /// - Parameters:
    ///   - receives: files may be stored, appended to, renamed and deleted, and folders made, in `root`.
    ///   - denied: commands that the server does not know: `RNFR`, `APPE`, `SIZE`.
    init(security kind: Security = .none, receives: Bool = false, denied: [String] = []) async throws {
        home = try TestFolder()
        try home.makeFolder("pub")
        root = try TestFolder(inside: home.url.appending(path: "pub"))
        held = try HeldPort()
        let port = held.number
        isSecured = kind != .none
        address =
            switch kind {
            case .none: "ftp://127.0.0.1:\(port)"
            case .implicit: "ftps://localhost:\(port)"
            case .explicit, .explicitRequired: "ftp://localhost:\(port)"
            }
        if kind != .none { try await home.makeCertificate() }
        let security =
            kind != .none
            ? """
            ssl_enable=YES
            implicit_ssl=\(kind == .implicit ? "YES" : "NO")
            force_anon_logins_ssl=\(kind == .explicitRequired ? "YES" : "NO")
            force_anon_data_ssl=\(kind == .explicitRequired ? "YES" : "NO")
            allow_anon_ssl=YES
            require_ssl_reuse=NO
            ssl_ciphers=HIGH
            rsa_cert_file=\(home.path("cert.pem"))
            rsa_private_key_file=\(home.path("key.pem"))
            """ : ""
        let writing =
            receives
            ? """
            write_enable=YES
            anon_upload_enable=YES
            anon_mkdir_write_enable=YES
            anon_other_write_enable=YES
            anon_world_readable_only=NO
            anon_umask=022
            allow_writeable_chroot=YES
            """ : ""
        try home.write(
            """
            listen=YES
            listen_address=127.0.0.1
            listen_port=\(port)
            background=NO
            run_as_launching_user=YES
            seccomp_sandbox=NO
            local_enable=NO
            anonymous_enable=YES
            no_anon_password=YES
            anon_root=\(home.path("pub"))
            xferlog_enable=YES
            log_ftp_protocol=YES
            vsftpd_log_file=\(home.path("log"))
            \(security)
            \(writing)
            \(denied.isEmpty ? "" : "cmds_denied=" + denied.joined(separator: ","))

            """, to: "vsftpd.conf")
        server = try Child("/usr/sbin/vsftpd", [home.path("vsftpd.conf")])
        try await held.wait(for: server, "vsftpd")
    }

    /// Its connections end, as when its machine loses power.
    func killSessions() { server.killChildren() }

    /// The offsets at which clients resumed, in order.
    func restarts() throws -> [Int] {
        try home.text("log").split(separator: "\n").compactMap { line in
            line.range(of: "\"REST ").flatMap { Int(line[$0.upperBound...].prefix { $0.isNumber }) }
        }
    }

    /// What clients asked for, in order: `STOR x`, `APPE x`, `REST 5`.
    func commands() throws -> [String] {
        try home.text("log").split(separator: "\n").compactMap { line in
            guard let start = line.range(of: "FTP command: Client \"") else { return nil }
            return line[start.upperBound...].split(separator: "\"").dropFirst().last.map(String.init)
        }
    }

    deinit { server.signal(SIGTERM) }
}

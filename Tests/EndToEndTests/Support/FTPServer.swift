import FaultSuite
import Foundation

/// vsftpd from Debian, on loopback, with anonymous login.
final class FTPServer {
    let root: TestFolder
    let address: String
    private let home: TestFolder
    private let server: Child

    /// What makes the server trusted when it is secured.
    var certificate: String { home.path("cert.pem") }

    /// - Parameters:
    ///   - rate: bytes a second; 0: no limit.
    ///   - isSecured: TLS from the first byte, `ftps://`.
    init(rate: Int = 0, isSecured: Bool = false) async throws {
        home = try TestFolder()
        try FileManager.default.createDirectory(atPath: home.path("pub"), withIntermediateDirectories: true)
        root = try TestFolder(inside: home.url.appending(path: "pub"))
        let port = try LocalPort.free()
        address = isSecured ? "ftps://localhost:\(port)" : "ftp://127.0.0.1:\(port)"
        if isSecured {
            try await InstalledTool.run(
                "/usr/bin/openssl",
                [
                    "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
                    "subjectAltName=DNS:localhost", "-keyout", home.path("key.pem"), "-out", home.path("cert.pem"),
                ])
        }
        let security =
            isSecured
            ? """
            ssl_enable=YES
            implicit_ssl=YES
            allow_anon_ssl=YES
            require_ssl_reuse=NO
            ssl_ciphers=HIGH
            rsa_cert_file=\(home.path("cert.pem"))
            rsa_private_key_file=\(home.path("key.pem"))
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
            anon_max_rate=\(rate)
            xferlog_enable=YES
            log_ftp_protocol=YES
            vsftpd_log_file=\(home.path("log"))
            \(security)

            """, to: "vsftpd.conf")
        server = try Child("/usr/sbin/vsftpd", [home.path("vsftpd.conf")])
        try await LocalPort.wait(for: port, server, "vsftpd")
    }

    /// The offsets at which clients resumed, in order.
    func restarts() throws -> [Int] {
        try home.text("log").split(separator: "\n").compactMap { line in
            line.range(of: "\"REST ").flatMap { Int(line[$0.upperBound...].prefix { $0.isNumber }) }
        }
    }

    deinit { server.signal(SIGTERM) }
}

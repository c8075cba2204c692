import Foundation
import Glibc

/// An nginx of the test's own.
final class Nginx {
    let root: Scratch
    private let home: Scratch
    private let server: Child
    let plain: String
    let secure: String
    var certificate: String { home.path("cert.pem") }

    init() async throws {
        home = try Scratch()
        try FileManager.default.createDirectory(atPath: home.path("www"), withIntermediateDirectories: true)
        root = try Scratch(inside: home.url.appending(path: "www"))
        let ports = (try Self.freePort(), try Self.freePort())
        plain = "http://127.0.0.1:\(ports.0)"
        secure = "https://localhost:\(ports.1)"
        try await Tool.run(
            "/usr/bin/openssl",
            [
                "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
                "-addext", "subjectAltName=DNS:localhost", "-keyout", home.path("key.pem"), "-out",
                home.path("cert.pem"),
            ])
        try home.write(
            """
            daemon off; worker_processes 1; pid \(home.path("pid")); error_log \(home.path("error.log"));
            events { worker_connections 256; }
            http {
              log_format c '$connection "$request" $status';
              access_log \(home.path("access.log")) c;
              client_body_temp_path \(home.path("body")); proxy_temp_path \(home.path("proxy"));
              fastcgi_temp_path \(home.path("fastcgi")); uwsgi_temp_path \(home.path("uwsgi")); scgi_temp_path \(home.path("scgi"));
              server {
                listen 127.0.0.1:\(ports.0);
                listen 127.0.0.1:\(ports.1) ssl http2;
                ssl_certificate \(home.path("cert.pem")); ssl_certificate_key \(home.path("key.pem"));
                root \(home.path("www"));
              }
            }
            """, to: "nginx.conf")
        server = try Child("/usr/sbin/nginx", ["-c", home.path("nginx.conf"), "-e", home.path("error.log")])
        try await waitUntilItAnswers(ports.1)
    }

    private func waitUntilItAnswers(_ port: Int) async throws {
        for _ in 0..<500 where !Self.connects(to: port) {
            guard server.ending() == nil else { throw Missing(what: "nginx to start: \(try home.text("error.log"))") }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    static func freePort() throws -> Int {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = loopback(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, length) == 0 && getsockname(socket, $0, &length) == 0
            }
        }
        guard isBound else { throw Missing(what: "a free port") }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    static func connects(to port: Int) -> Bool {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = loopback(port)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    private static func loopback(_ port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(port)).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    deinit {
        server.signal(SIGTERM)
    }

}

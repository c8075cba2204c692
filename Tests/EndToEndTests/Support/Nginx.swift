import Foundation
import Glibc
import TestSupport

/// An nginx of the test's own: it serves `root`, and with its DAV module receives into it.
final class Nginx {
    let root: TestFolder
    private let home: TestFolder
    private let server: Child
    private let held: (HeldPort, HeldPort)
    let plain: String
    let secure: String
    var certificate: String { home.path("cert.pem") }

    /// - Parameter receives: PUT, DELETE, MKCOL, COPY and MOVE work, and a PUT into a missing folder is answered with 500,
    ///   as nginx 1.22 does.
    init(receives: Bool = false) async throws {
        home = try TestFolder()
        try home.makeFolder("www")
        root = try TestFolder(inside: home.url.appending(path: "www"))
        held = (try HeldPort(), try HeldPort())
        let ports = (held.0.number, held.1.number)
        plain = "http://127.0.0.1:\(ports.0)"
        secure = "https://localhost:\(ports.1)"
        try await home.makeCertificate()
        // Workers of an nginx that root starts are those of another user, who may not write into the test's folder.
        let user = getuid() == 0 ? "user root;" : ""
        let dav =
            receives
            ? """
            dav_methods PUT DELETE MKCOL COPY MOVE; create_full_put_path off;
                    client_max_body_size 0; client_body_buffer_size 64k;
            """ : ""
        try home.write(
            """
            \(user)
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
                \(dav)
              }
            }
            """, to: "nginx.conf")
        server = try Child("/usr/sbin/nginx", ["-c", home.path("nginx.conf"), "-e", home.path("error.log")])
        try await held.1.wait(for: server, "nginx") { try home.text("error.log") }
    }

    deinit {
        server.signal(SIGTERM)
    }
}

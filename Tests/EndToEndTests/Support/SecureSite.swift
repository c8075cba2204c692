import Foundation
import Glibc
import TestSupport

/// An nginx with a certificate of the test's choice that forwards all requests to another server.
final class SecureSite {
    enum Certificate {
        case good, expired, forAnotherHost
        /// Signed by an authority that clients do not know.
        case ofUnknownAuthority
    }

    /// Whether clients are asked for a certificate.
    enum ClientCertificates: String {
        case notAsked = "off"
        /// Only clients that have the one in `clientCertificate` are served.
        case required = "on"
        /// Those without one are served as well, and those with an unknown one.
        case welcome = "optional_no_ca"
    }

    let origin: String
    /// The file that makes the certificate trusted.
    var authority: String { home.path("authority.pem") }
    /// The certificate that clients are asked for, and its private key.
    var clientCertificate: String { home.path("cert.pem") }
    var clientKey: String { home.path("key.pem") }
    private let home: TestFolder
    private let server: Child
    private let held: HeldPort

    /// Bodies of uploads are passed on as they arrive, but chunked ones, which HTTP/1.0 does not have.
    ///
    /// - Parameters:
    ///   - upstream: `http://127.0.0.1:PORT`.
    ///   - clientCertificates: what clients are asked for; the upstream server is told of the certificate that came
    ///     in the field `X-Client-Certificate`.
    init(
        _ certificate: Certificate = .good, upstream: String, clientCertificates: ClientCertificates = .notAsked
    ) async throws {
        home = try TestFolder()
        held = try HeldPort()
        let port = held.number
        origin = "https://localhost:\(port)"
        try await Self.makeCertificate(certificate, in: home)
        try home.write(
            """
            daemon off; master_process off; pid \(home.path("pid")); error_log \(home.path("error.log"));
            events { worker_connections 64; }
            http {
              access_log off;
              client_body_temp_path \(home.path("body")); proxy_temp_path \(home.path("proxy"));
              fastcgi_temp_path \(home.path("fastcgi")); uwsgi_temp_path \(home.path("uwsgi")); scgi_temp_path \(home.path("scgi"));
              server {
                listen 127.0.0.1:\(port) ssl;
                client_max_body_size 0; proxy_request_buffering off;
                ssl_certificate \(home.path("cert.pem")); ssl_certificate_key \(home.path("key.pem"));
                ssl_client_certificate \(home.path("authority.pem")); ssl_verify_client \(clientCertificates.rawValue);
                proxy_set_header X-Client-Certificate $ssl_client_fingerprint;
                location / {
                  proxy_pass \(upstream); proxy_redirect off; proxy_buffering off; proxy_http_version 1.0; chunked_transfer_encoding off;
                }
              }
            }
            """, to: "nginx.conf")
        server = try Child("/usr/sbin/nginx", ["-c", home.path("nginx.conf"), "-e", home.path("error.log")])
        try await held.wait(for: server, "nginx") { try home.text("error.log") }
    }

    deinit { server.signal(SIGTERM) }

    /// Kills the server: the kernel closes its connections, without the end that TLS announces (close_notify).
    func breakOff() { server.signal(SIGKILL) }

    private static func makeCertificate(_ certificate: Certificate, in home: TestFolder) async throws {
        func openssl(_ arguments: String...) async throws {
            try await InstalledTool.run("/usr/bin/openssl", arguments)
        }
        let (key, cert, authority) = (home.path("key.pem"), home.path("cert.pem"), home.path("authority.pem"))
        let host = certificate == .forAnotherHost ? "other.test" : "localhost"
        try await home.makeCertificate(for: host)
        switch certificate {
        case .good, .forAnotherHost: break
        case .expired:
            try await openssl("req", "-new", "-key", key, "-subj", "/CN=\(host)", "-out", home.path("request.pem"))
            try await openssl(
                "x509", "-req", "-in", home.path("request.pem"), "-signkey", key, "-days", "-1", "-out", cert)
        case .ofUnknownAuthority:
            let authorityKey = home.path("authority-key.pem")
            try await openssl(
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                "-subj", "/CN=Nobody's Authority",
                "-keyout", authorityKey, "-out", authority)
            try await openssl("req", "-new", "-key", key, "-subj", "/CN=\(host)", "-out", home.path("request.pem"))
            try home.write("subjectAltName=DNS:\(host)", to: "names")
            try await openssl(
                "x509", "-req", "-in", home.path("request.pem"), "-CA", authority, "-CAkey", authorityKey, "-days", "2",
                "-set_serial", "1", "-extfile", home.path("names"), "-out", cert)
            return
        }
        try FileManager.default.copyItem(atPath: cert, toPath: authority)
    }
}

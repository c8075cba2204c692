import CTransport
import WinchHTTP
import WinchModel

extension DownloadConnection {
    /// Reports the facts of the connection, once the head of the answer has come.
    func noteConnection() {
        guard let easy else { return }
        let tls = easy.tlsConnection
        report(
            .connected(
                ConnectionFacts(
                    address: winch_easy_address(easy.raw).map { String(cString: $0) } ?? "",
                    port: max(0, Int(easy.fact(WINCH_PORT))), protocolName: protocolName(of: easy),
                    tlsVersion: winch_tls_version(tls).map { String(cString: $0) },
                    tlsCipher: winch_tls_cipher(tls).map { String(cString: $0) }, status: head.status,
                    headers: head.recorded, validator: head.validator)))
    }

    private func protocolName(of easy: EasyHandle) -> String {
        switch easy.fact(WINCH_HTTP_VERSION) {
        case 10: "HTTP/1.0"
        case 11: "HTTP/1.1"
        case 20: "HTTP/2"
        case 30: "HTTP/3"
        default: request.url.scheme.rawValue.uppercased()
        }
    }
}

import CTransport
import WinchHTTP
import WinchModel

extension ConnectionFacts {
    /// - Parameters:
    ///   - easy: its request has an answer.
    ///   - scheme: of the transfer's URL.
    init(of easy: EasyHandle, _ head: ResponseHead, scheme: TransferURL.Scheme) {
        let tls = easy.tlsConnection
        self.init(
            address: winch_easy_address(easy.raw).map { String(cString: $0) } ?? "",
            port: max(0, Int(easy.fact(WINCH_PORT))), protocolName: Self.protocolName(of: easy, scheme),
            tlsVersion: winch_tls_version(tls).map { String(cString: $0) },
            tlsCipher: winch_tls_cipher(tls).map { String(cString: $0) }, status: head.status,
            headers: head.recorded, validator: head.validator)
    }

    private static func protocolName(of easy: EasyHandle, _ scheme: TransferURL.Scheme) -> String {
        switch easy.fact(WINCH_HTTP_VERSION) {
        case 10: "HTTP/1.0"
        case 11: "HTTP/1.1"
        case 20: "HTTP/2"
        case 30: "HTTP/3"
        default: scheme.rawValue.uppercased()
        }
    }
}

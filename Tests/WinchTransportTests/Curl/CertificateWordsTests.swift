import TestSupport
import Testing

@testable import WinchTransport

@Suite struct `An untrusted certificate` {
    @Test(
        arguments: [
            ("SSL certificate problem: certificate has expired", "the certificate of h has expired"),
            (
                "SSL: no alternative certificate subject name matches target host name 'h'",
                "the certificate is not for h but for another host"
            ),
            (
                "SSL certificate problem: self-signed certificate",
                "the certificate of h is self-signed (--cacert FILE trusts it)"
            ),
            (
                "SSL certificate problem: self signed certificate in certificate chain",
                "the certificate of h is signed by an unknown authority (--cacert FILE names one to trust)"
            ),
            (
                "SSL certificate problem: unable to get local issuer certificate",
                "the certificate of h is signed by an unknown authority (--cacert FILE names one to trust)"
            ),
            (
                "SSL certificate problem: certificate is not yet valid",
                "the certificate of h is not valid yet; is this machine's clock right?"
            ),
            ("something new", "something new"),
        ])
    func `is reported with the reason`(words: String, clear: String) {
        expectEqual(CertificateWords.clear(words, host: "h"), clear)
    }
}

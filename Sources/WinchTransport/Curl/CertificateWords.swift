/// What is wrong with a certificate, in words for the user; those of the TLS library are for programmers.
/// `TransferFailure.shortMessage` recognises these words.
enum CertificateWords {
    /// - Parameters:
    ///   - words: libcurl's, with those of its TLS library in them.
    ///   - host: of the connection.
    static func clear(_ words: String, host: String) -> String {
        let lower = words.lowercased()
        func says(_ parts: String...) -> Bool { parts.contains { lower.contains($0) } }
        if says("has expired") { return "the certificate of \(host) has expired" }
        if says("not yet valid") {
            return "the certificate of \(host) is not valid yet; is this machine's clock right?"
        }
        if says("does not match target host", "no alternative certificate subject name") {
            return "the certificate is not for \(host) but for another host"
        }
        if says(
            "in certificate chain", "unable to get local issuer", "unable to get issuer", "unable to verify the first")
        {
            return
                "the certificate of \(host) is signed by an unknown authority (--cacert FILE names one to trust)"
        }
        if says("self-signed", "self signed") {
            return "the certificate of \(host) is self-signed (--cacert FILE trusts it)"
        }
        if says("revoked") { return "the certificate of \(host) was revoked" }
        return words
    }
}

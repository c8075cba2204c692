/// What is wrong with a certificate, for a person: the library's own words are for its programmers.
enum CertificateWords {
    /// - Parameters:
    ///   - words: libcurl's, with those of its TLS library in them.
    ///   - host: who was talked to.
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
                "the certificate of \(host) is signed by an authority that is not known here (--cacert FILE names it)"
        }
        if says("self-signed", "self signed") {
            return "the certificate of \(host) is signed by nobody but itself (--cacert FILE trusts it)"
        }
        if says("revoked") { return "the certificate of \(host) was revoked" }
        return words
    }
}

extension TransferURL {
    /// The query carries a signature or a token with an end: such a URL may be valid for one request, and a second one may be
    /// refused or count against a quota. It is never asked for in several connections.
    package var isSigned: Bool {
        guard let mark = text.utf8.firstIndex(of: UInt8(ascii: "?")) else { return false }
        let names = Set(
            text.utf8[text.utf8.index(after: mark)...]
                .split(whereSeparator: { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: ";") })
                .map { PercentCoding.decoded(Substring($0.prefix { $0 != UInt8(ascii: "=") })).lowercased() })
        return !names.isDisjoint(with: Self.signatures)
            || (!names.isDisjoint(with: Self.tokens) && !names.isDisjoint(with: Self.ends))
    }

    /// Names of parameters, in lower case. Amazon S3 (version 4 and 2), Google Cloud Storage, Azure (`sig`), CloudFront and
    /// Alibaba (`signature`), Akamai (`hdnea`, `hdnts`), Tencent, nginx's `secure_link`.
    ///
    /// - Source: the documentation of each service.
    private static let signatures: Set = [
        "x-amz-signature", "signature", "x-goog-signature", "sig", "x-oss-signature", "x-cos-signature", "q-signature",
        "hdnea", "hdnts", "hmac", "x-tos-signature", "x-obs-signature", "sign", "auth_key", "one-time", "onetime",
        "otp",
        "nonce",
    ]
    private static let tokens: Set = ["token", "md5", "hash", "key", "auth", "st", "verify", "secure"]
    private static let ends: Set = [
        "expires", "expire", "expiry", "exp", "e", "until", "validto", "validuntil", "ttl", "se",
    ]
}

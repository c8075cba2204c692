/// Where a redirect leads, as far as it must be known before libcurl follows it.
public enum Redirect {
    /// True when a connection that was secured would go on in the clear, or by a scheme that nobody may be sent to.
    ///
    /// - Parameters:
    ///   - url: of the answer.
    ///   - location: as the server wrote it; an address without a scheme keeps the present one.
    public static func isDowngrade(from url: String, to location: String) -> Bool {
        guard scheme(of: url) == "https", let target = scheme(of: location) else { return false }
        return target != "https"
    }

    /// In lower case; `nil` for a relative address.
    ///
    /// - Source: RFC 3986, sections 3.1 and 4.2.
    static func scheme(of text: String) -> String? {
        let text = text.utf8.drop { $0 <= 0x20 }
        guard let end = text.firstIndex(where: { ":/?#".utf8.contains($0) }), text[end] == UInt8(ascii: ":"),
            end != text.startIndex
        else { return nil }
        return Substring(text[..<end]).lowercased()
    }
}

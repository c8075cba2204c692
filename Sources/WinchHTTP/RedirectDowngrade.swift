/// Checks the target of a redirect before libcurl follows it.
package enum RedirectDowngrade {
    /// True when a redirect leads from https to any other scheme.
    ///
    /// - Parameters:
    ///   - url: the URL of the response.
    ///   - location: the Location header as sent; a URL without a scheme keeps the present one.
    package static func isDowngrade(from url: String, to location: String) -> Bool {
        guard scheme(of: url) == "https", let target = scheme(of: location) else { return false }
        return target != "https"
    }

    /// The scheme in lower case; `nil` for a relative URL.
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

/// The address of a proxy, as the user gives it.
package enum ProxyAddress {
    /// How it is written, for messages.
    package static let form =
        "it is HOST:PORT or SCHEME://NAME:PASSWORD@HOST:PORT, with / ? # of a password as %2F %3F %23"

    package static let unknownScheme =
        "unknown scheme; http, https, socks4, socks4a, socks5 and socks5h are known"
    /// Those of libcurl: `socks` is `socks4`, and desktops set it in the environment.
    private static let schemes: Set<String> = ["http", "https", "socks", "socks4", "socks4a", "socks5", "socks5h"]

    /// Checks the address before libcurl gets it.
    ///
    /// - Parameter text: a URL, or without a scheme; an empty one is no proxy.
    /// - Throws: words that do not show the address.
    package static func reading(_ text: some StringProtocol) throws(InvalidValue) -> String {
        let given = String(text)
        let mark = given.utf8.firstRange(of: "://".utf8)
        if let mark, !schemes.contains(given[..<mark.lowerBound].lowercased()) {
            throw InvalidValue(unknownScheme)
        }
        let address = given[(mark?.upperBound ?? given.startIndex)...]
        guard !address.isEmpty else { return given }
        // The path of a proxy has no meaning, so an at sign in it ends a login.
        let hasUnencodedLogin = address.utf8.drop(while: \.isAuthorityByte).contains(UInt8(ascii: "@"))
        guard !hasUnencodedLogin, (try? TransferURL("http://\(address)")) != nil else {
            throw InvalidValue("malformed; \(form)")
        }
        return given
    }
}

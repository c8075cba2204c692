/// The address of a proxy, as the user gives it.
package enum ProxyAddress {
    /// How it is written, for messages.
    package static let form =
        "it is HOST:PORT or SCHEME://NAME:PASSWORD@HOST:PORT, with / ? # of a password as %2F %3F %23"

    /// Checks the address before libcurl gets it.
    ///
    /// - Parameter text: a URL of any scheme, or without one; an empty one is no proxy.
    /// - Throws: words that do not show the address.
    package static func reading(_ text: some StringProtocol) throws(InvalidValue) -> String {
        let given = String(text)
        let start = given.utf8.firstRange(of: "://".utf8)?.upperBound ?? given.startIndex
        let address = given[start...]
        guard !address.isEmpty else { return given }
        // The path of a proxy has no meaning, so an at sign in it ends a login.
        let hasUnencodedLogin = address.utf8.drop(while: \.isAuthorityByte).contains(UInt8(ascii: "@"))
        guard !hasUnencodedLogin, (try? TransferURL("http://\(address)")) != nil else {
            throw InvalidValue("malformed; \(form)")
        }
        return given
    }
}

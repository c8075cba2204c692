/// One request header as the user gives it, `Name: value`. It has no control characters but TAB, so that it cannot add a
/// second header to the request.
///
/// - Source: RFC 9110, sections 5.1 and 5.5.
package struct HeaderLine: Hashable, Sendable {
    package let text: String

    /// - Returns: `nil` when the name is no token, the colon is missing, or the value has a control character.
    package init?(_ text: some StringProtocol) {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), colon != text.startIndex,
            text[..<colon].utf8.allSatisfy(\.isHeaderNameByte), text.utf8.allSatisfy(\.isPrintableOrTab)
        else { return nil }
        self.text = String(text)
    }
}

extension UInt8 {
    /// A byte that is allowed in a header's name.
    ///
    /// - Source: RFC 9110, section 5.6.2 (token).
    fileprivate var isHeaderNameByte: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(self)
        }
    }

    /// Not an ASCII control character, TAB excepted.
    var isPrintableOrTab: Bool { self >= 0x20 && self != 0x7F || self == 0x09 }
}

/// A file's name in a form that fits on one line and that a terminal can show: every byte (UTF-8) of a control or
/// format character is written as `\xHH`.
package enum EscapedName {
    /// The name with hidden characters escaped; unchanged if it has none.
    package static func escaping(_ name: some StringProtocol) -> String {
        guard name.unicodeScalars.contains(where: isHidden) else { return String(name) }
        var text = ""
        for scalar in name.unicodeScalars {
            guard isHidden(scalar) else {
                text.unicodeScalars.append(scalar)
                continue
            }
            for byte in UTF8.encode(scalar).map(Array.init) ?? [] {
                let digits = String(byte, radix: 16, uppercase: true)
                text += "\\x" + (digits.count < 2 ? "0" : "") + digits
            }
        }
        return text
    }

    /// The inverse of `escaping`. A text without escapes, or whose escapes are not valid UTF-8, is returned
    /// unchanged.
    package static func unescaping(_ text: some StringProtocol) -> String {
        var (bytes, rest) = ([UInt8](), Substring(text).utf8)
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\"), rest.first == UInt8(ascii: "x"),
                let value = Substring(rest.dropFirst().prefix(2)).hexByte
            else {
                bytes.append(byte)
                continue
            }
            bytes.append(value)
            rest = rest.dropFirst(3)
        }
        return String(validating: bytes, as: UTF8.self) ?? String(text)
    }

    /// Characters that can be neither seen nor typed: control and format characters, line and paragraph separators.
    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}

extension Substring {
    /// The value of exactly two hexadecimal digits; else `nil`.
    fileprivate var hexByte: UInt8? { utf8.count == 2 && first != "+" && first != "-" ? UInt8(self, radix: 16) : nil }
}

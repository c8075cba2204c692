import WinchModel

/// A file's name in a form that fits on one line and that a terminal can show: every byte (UTF-8) of a control or
/// format character, and every byte that is not UTF-8, is written as `\xHH`.
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
            for byte in String(scalar).systemBytes {
                let digits = String(byte, radix: 16, uppercase: true)
                text += "\\x" + (digits.count < 2 ? "0" : "") + digits
            }
        }
        return text
    }

    /// The inverse of `escaping`.
    package static func unescaping(_ text: some StringProtocol) -> String {
        var (bytes, rest) = ([UInt8](), text.systemBytes[...])
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\"), rest.first == UInt8(ascii: "x"),
                let value = Substring(decoding: rest.dropFirst().prefix(2), as: UTF8.self).hexByte
            else {
                bytes.append(byte)
                continue
            }
            bytes.append(value)
            rest = rest.dropFirst(3)
        }
        return String(system: bytes)
    }

    /// Characters that can be neither seen nor typed: control and format characters, line and paragraph separators,
    /// and those that stand for bytes.
    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: SystemText.byte(scalar) != nil
        }
    }
}

extension Substring {
    /// The value of exactly two hexadecimal digits; else `nil`.
    fileprivate var hexByte: UInt8? { utf8.count == 2 && first != "+" && first != "-" ? UInt8(self, radix: 16) : nil }
}

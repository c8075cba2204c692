/// A file's name in a form that a line can hold and a terminal can show: control characters are `\xHH`, bytes of UTF-8.
public enum EscapedName {
    public static func escaping(_ name: some StringProtocol) -> String {
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

    /// The name that `escaping` made the text of; the text itself where it holds no escape, or one that is no UTF-8.
    public static func unescaping(_ text: some StringProtocol) -> String {
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

    /// Neither to be seen nor to be typed: control and format characters, and those that end a line.
    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}

extension Substring {
    /// Of exactly two digits.
    fileprivate var hexByte: UInt8? { utf8.count == 2 && first != "+" && first != "-" ? UInt8(self, radix: 16) : nil }
}

import WinchModel

/// The file name in a Content-Disposition field.
///
/// Both forms are read, `filename=` and `filename*=`; if both are present the second is used. Many servers violate the
/// grammar, so parsing is lenient. The result is untrusted text; convert it with `TargetName` before using it as a name.
///
/// - Source: RFC 6266; RFC 8187.
package enum ContentDisposition {
    /// The file name; `nil` when the field has none, or an empty one.
    ///
    /// - Parameter bytes: the value of the field as sent.
    package static func filename(_ bytes: [UInt8]) -> String? {
        var plain: String?
        var extended: String?
        for (name, value) in parameters(bytes) {
            switch name {
            case "filename*": extended = extended ?? decodedExtended(value)
            case "filename": plain = plain ?? text(value)
            default: break
            }
        }
        return [extended, plain].compactMap { $0 }.first { !$0.isEmpty }
    }

    /// The `name=value` pairs. The disposition type has no `=` and is skipped.
    private static func parameters(_ bytes: [UInt8]) -> [(name: String, value: [UInt8])] {
        var result: [(String, [UInt8])] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let name = rest.prefix { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ";") }
            rest = rest.dropFirst(name.count)
            guard rest.first == UInt8(ascii: "=") else {
                rest = rest.dropFirst()
                continue
            }
            rest = rest.dropFirst().drop { $0 == 0x20 || $0 == 0x09 }
            let value = rest.first == UInt8(ascii: "\"") ? quoted(&rest) : bare(&rest)
            result.append((String(decoding: name.trimmed, as: UTF8.self).lowercased(), value))
            rest = rest.drop { $0 != UInt8(ascii: ";") }.dropFirst()
        }
        return result
    }

    /// Takes a quoted string. A backslash escapes the next byte, except in a Windows path, which some servers send unescaped.
    ///
    /// - Source: RFC 9110, section 5.6.4.
    private static func quoted(_ rest: inout ArraySlice<UInt8>) -> [UInt8] {
        rest = rest.dropFirst()
        var value: [UInt8] = []
        let isWindowsPath = rest.dropFirst().starts(with: ":\\".utf8) || rest.starts(with: "..\\".utf8)
        while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
            if byte == UInt8(ascii: "\\"), let next = rest.first,
                !isWindowsPath || next == UInt8(ascii: "\"") || next == UInt8(ascii: "\\")
            {
                value.append(next)
                rest = rest.dropFirst()
            } else {
                value.append(byte)
            }
        }
        return value
    }

    private static func bare(_ rest: inout ArraySlice<UInt8>) -> [UInt8] {
        let value = rest.prefix { $0 != UInt8(ascii: ";") }
        rest = rest.dropFirst(value.count)
        return Array(value.trimmed)
    }

    /// Decodes `UTF-8'en'%e2%82%ac%20rates`; `nil` for charsets other than UTF-8 and ISO-8859-1.
    private static func decodedExtended(_ bytes: [UInt8]) -> String? {
        let parts = bytes.split(separator: UInt8(ascii: "'"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        let raw = PercentCoding.bytes(String(decoding: parts[2], as: UTF8.self))
        switch String(decoding: parts[0], as: UTF8.self).lowercased() {
        case "utf-8": return String(validating: raw, as: UTF8.self)
        case "iso-8859-1": return latin1(raw)
        default: return nil
        }
    }

    /// Decodes as UTF-8 if that is valid, else as ISO-8859-1, like browsers.
    private static func text(_ bytes: [UInt8]) -> String {
        String(validating: bytes, as: UTF8.self) ?? latin1(bytes)
    }

    private static func latin1(_ bytes: [UInt8]) -> String {
        String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
}

import WinchHTTP
import WinchModel

/// Invariants of names that come from servers, URLs and batch files.
enum NamePromises {
    static func fault(disposition bytes: [UInt8]) -> String? {
        guard let text = ContentDisposition.filename(bytes) else { return nil }
        guard !text.isEmpty else { return "an empty name counts as one" }
        guard let name = TargetName(sanitizing: text) else { return nil }
        if let fault = fault(of: name) { return fault }
        // The name in a header as a server would write it must be parsed as the same name. Escaped byte by byte, because a
        // quote with a combining accent is still a quote.
        let quoted = name.text.utf8.flatMap {
            [UInt8(ascii: "\""), UInt8(ascii: "\\")].contains($0) ? [UInt8(ascii: "\\"), $0] : [$0]
        }
        let again = ContentDisposition.filename(Array("attachment; filename=\"".utf8) + quoted + [UInt8(ascii: "\"")])
        return again == name.text ? nil : "'\(name.text)' comes back as '\(again ?? "nothing")'"
    }

    static func fault(url bytes: [UInt8]) -> String? {
        guard let text = String(validating: bytes, as: UTF8.self), let url = try? TransferURL(text) else { return nil }
        if let fault = fault(of: TargetName(url: url)) { return fault }
        guard let again = try? TransferURL(url.text) else { return "its own text is no URL: \(url.text)" }
        if again != url { return "read again it is \(again.text), not \(url.text)" }
        if !url.text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) { return "a blank or control character" }
        if url.text.utf8.contains(UInt8(ascii: "#")) { return "the fragment is kept" }
        let authority = url.redacted.utf8.drop { $0 != UInt8(ascii: "/") }.dropFirst(2).prefix {
            $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?")
        }
        if authority.contains(UInt8(ascii: "@")) { return "a login in \(url.redacted)" }
        if url.hostKey.isEmpty { return "no host" }
        return url.lastPathComponent.utf8.contains(UInt8(ascii: "/")) ? "a slash in the last part" : nil
    }

    static func fault(path bytes: [UInt8]) -> String? {
        guard let text = String(validating: bytes, as: UTF8.self), let path = try? TargetPath(text) else { return nil }
        let parts = path.text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        for part in parts {
            if part.isEmpty || Substring(part) == "." || Substring(part) == ".." {
                return "a part is '\(Substring(part))'"
            }
            if part.count > 255 { return "a part of \(part.count) bytes" }
        }
        if path.text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) { return "a control character" }
        guard let again = try? TargetPath(path.text) else { return "its own text is no path" }
        if again != path { return "read again it is \(again.text)" }
        return path.folders.count + 1 == parts.count && path.name == Substring(parts[parts.count - 1])
            ? nil : "its parts do not add up"
    }

    static func fault(of name: TargetName) -> String? {
        let text = name.text
        let bytes = Array(text.utf8)
        if bytes.isEmpty { return "an empty name" }
        if bytes.count > 244 { return "\(bytes.count) bytes leave no room for '.part'" }
        if bytes.contains(where: { $0 < 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }) {
            return "a slash or control character in '\(text)'"
        }
        if let first = bytes.first, [UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "~"), 0x20].contains(first) {
            return "begins with a character of its own meaning: '\(text)'"
        }
        for scalar in text.unicodeScalars
        where [.control, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory) {
            return "a control character U+\(String(scalar.value, radix: 16))"
        }
        guard let again = TargetName(sanitizing: text) else { return "'\(text)' is not taken again" }
        if again != name { return "'\(text)' becomes '\(again.text)' when read again" }
        for number in [1, 9999] where TargetName.numbered(text, number).utf8.count > 250 {
            return "no room for a number"
        }
        return nil
    }
}

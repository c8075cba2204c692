import WinchHTTP

/// Invariants of the parser of Link fields.
enum LinkPromises {
    static func fault(_ bytes: [UInt8]) -> String? {
        let links = LinkField.links(String(decoding: bytes, as: UTF8.self))
        if links.count > LinkField.most { return "\(links.count) links" }
        for link in links {
            if link.target.isEmpty || link.target.utf8.contains(UInt8(ascii: ">")) {
                return "the target '\(link.target)'"
            }
            if link.relations.isEmpty || link.relations.contains("") { return "the relations \(link.relations)" }
            if let priority = link.priority, priority < 1 { return "the priority \(priority)" }
        }
        // Links that are written as a field and read again must be equal.
        let text = links.map(text).joined(separator: ", ")
        guard text.utf8.count < 32 << 10 else { return nil }
        return LinkField.links(text) == links ? nil : "other links when read again: \(text)"
    }

    private static func text(_ link: WebLink) -> String {
        var text = "<\(link.target)>; rel=\(quoted(link.relations.joined(separator: " ")))"
        if let type = link.mediaType { text += "; type=\(quoted(type))" }
        if let priority = link.priority { text += "; pri=\(priority)" }
        return text
    }

    /// Escaped byte by byte, because a quote with a combining accent is still a quote.
    private static func quoted(_ text: String) -> String {
        let escaped = text.utf8.flatMap { byte in
            [UInt8(ascii: "\""), UInt8(ascii: "\\")].contains(byte) ? [UInt8(ascii: "\\"), byte] : [byte]
        }
        return "\"" + String(decoding: escaped, as: UTF8.self) + "\""
    }
}

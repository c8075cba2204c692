import WinchModel

/// Parses a `Link` header field: `<http://mirror/f>; rel=duplicate; pri=1, <f.meta4>; rel=describedby; type="..."`.
///
/// Links about another resource (`anchor`) and links without a relation are left out. Parsing ends at the first fault: what
/// came before it counts.
///
/// - Source: RFC 8288, section 3 and appendix B.2.
package enum LinkField {
    /// A list of mirrors has a few dozen.
    package static let most = 64
    /// 32 KiB, in bytes.
    private static let longest = 32 << 10

    /// - Returns: at most `most` links, in the order of the field.
    package static func links(_ field: String) -> [WebLink] {
        guard field.utf8.count <= longest else { return [] }
        var rest = Substring(field).utf8
        var links: [WebLink] = []
        while links.count < most {
            rest = rest.drop { $0.isBlank || $0 == UInt8(ascii: ",") }
            guard rest.popFirst() == UInt8(ascii: "<"), let end = rest.firstIndex(of: UInt8(ascii: ">")) else { break }
            let target = Substring(rest[..<end])
            rest = rest[rest.index(after: end)...]
            if let link = link(to: target, parameters(&rest)) { links.append(link) }
        }
        return links
    }

    private static func link(to target: Substring, _ parameters: [(name: String, value: String)]) -> WebLink? {
        // Of a parameter that is there twice the first counts.
        func value(_ name: String) -> String? { parameters.first { $0.name == name }?.value }
        guard !target.isEmpty, value("anchor") == nil, let relation = value("rel") else { return nil }
        let relations = relation.lowercased().utf8.split(whereSeparator: \.isBlank).map {
            String(Substring($0))
        }
        guard !relations.isEmpty else { return nil }
        let type = value("type")?.lowercased().utf8.prefix { $0 != UInt8(ascii: ";") }
            .filter { !$0.isBlank }
        let priority = value("pri").flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
        return WebLink(
            target: String(target), relations: relations, mediaType: type.map { String(decoding: $0, as: UTF8.self) },
            priority: priority)
    }

    /// Takes the parameters of one link, up to the comma that ends it.
    private static func parameters(_ rest: inout Substring.UTF8View) -> [(name: String, value: String)] {
        var parameters: [(String, String)] = []
        while true {
            rest = rest.drop(while: \.isBlank)
            guard rest.first == UInt8(ascii: ";") else { return parameters }
            rest = rest.dropFirst().drop(while: \.isBlank)
            let name = rest.prefix { !$0.isBlank && !",;=".utf8.contains($0) }
            rest = rest.dropFirst(name.count).drop(while: \.isBlank)
            var value = ""
            if rest.first == UInt8(ascii: "=") {
                rest = rest.dropFirst().drop(while: \.isBlank)
                value = rest.first == UInt8(ascii: "\"") ? quoted(&rest) : token(&rest)
            }
            parameters.append((Substring(name).lowercased(), value))
        }
    }

    private static func token(_ rest: inout Substring.UTF8View) -> String {
        let value = rest.prefix { !$0.isBlank && $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: ";") }
        rest = rest.dropFirst(value.count)
        return String(Substring(value))
    }

    /// - Source: RFC 9110, section 5.6.4.
    private static func quoted(_ rest: inout Substring.UTF8View) -> String {
        rest = rest.dropFirst()
        var value: [UInt8] = []
        while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
            guard byte == UInt8(ascii: "\\") else {
                value.append(byte)
                continue
            }
            if let escaped = rest.popFirst() { value.append(escaped) }
        }
        return String(decoding: value, as: UTF8.self)
    }
}

/// A link that a response names in a `Link` header field.
package struct WebLink: Hashable, Sendable {
    /// As sent, between `<` and `>`; often relative to the URL of the response. Untrusted text.
    package var target: String
    /// The relation types in lower case, such as `duplicate`; at least one.
    package var relations: [String]
    /// The media type of the target in lower case, without parameters; a hint only.
    package var mediaType: String?
    /// The lowest is to be used first, from 1; `nil`: after all others.
    ///
    /// - Source: RFC 6249, section 3.1.
    package var priority: Int?

    /// A mirror of the file.
    ///
    /// - Source: RFC 6249, section 3.
    package var isDuplicate: Bool { relations.contains("duplicate") }

    /// A Metalink that describes the file.
    ///
    /// - Source: RFC 6249, section 4.
    package var isMetalink: Bool { relations.contains("describedby") && mediaType == "application/metalink4+xml" }
}

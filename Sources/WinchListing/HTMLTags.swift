import WinchModel

/// Cuts HTML into tags and text, byte for byte. Comments, declarations, scripts and styles are skipped.
struct HTMLTags {
    enum Token {
        /// Nothing is complete.
        case none
        case text(UInt8)
        /// ``HTMLTags/tag`` holds a tag.
        case tag
    }

    private enum State {
        case text
        /// Behind `<`.
        case opened
        case tag
        /// Within `<!...>`.
        case declaration
        /// Within `<!-- -->`, with so many dashes at the end.
        case comment(dashes: Int)
        /// Within a script or a style, behind so many bytes of the tag that ends it.
        case raw(end: [UInt8], matched: Int)
    }

    /// Without `<` and `>`.
    private(set) var tag: [UInt8] = []
    private var state = State.text
    private var quote: UInt8?
    /// Behind `=`, where a quote begins a value.
    private var isAfterEqual = false

    /// The text has not ended within a tag, a comment or a script.
    var isComplete: Bool { if case .text = state { true } else { false } }

    mutating func read(_ byte: UInt8) throws(ListingFault) -> Token {
        switch state {
        case .text:
            guard byte == UInt8(ascii: "<") else { return .text(byte) }
            state = .opened
        case .opened: return opened(byte)
        case .tag: return try inTag(byte)
        case .declaration:
            if byte == UInt8(ascii: ">") {
                state = .text
            } else if tag.count < 2 {
                tag.append(byte)
                if tag.elementsEqual("--".utf8) { state = .comment(dashes: 2) }
            }
        case .comment(let dashes):
            if byte == UInt8(ascii: ">"), dashes >= 2 {
                state = .text
            } else {
                state = .comment(dashes: byte == UInt8(ascii: "-") ? min(dashes + 1, 2) : 0)
            }
        case .raw(let end, let matched):
            if byte == end[matched] || byte | 0x20 == end[matched] {
                state = .raw(end: end, matched: matched + 1)
                if matched + 1 == end.count { begin(tag: Array(end.dropFirst())) }
            } else {
                state = .raw(end: end, matched: byte == UInt8(ascii: "<") ? 1 : 0)
            }
        }
        return .none
    }

    private mutating func opened(_ byte: UInt8) -> Token {
        switch byte {
        case UInt8(ascii: "!"), UInt8(ascii: "?"):
            tag.removeAll(keepingCapacity: true)
            state = .declaration
        case UInt8(ascii: "<"): break
        case UInt8(ascii: "/"): begin(tag: [byte])
        case _ where byte.isAlphanumeric && !byte.isDigit: begin(tag: [byte])
        default:
            state = .text
            return .text(byte)
        }
        return .none
    }

    private mutating func begin(tag start: [UInt8]) {
        tag = start
        (quote, isAfterEqual) = (nil, false)
        state = .tag
    }

    private mutating func inTag(_ byte: UInt8) throws(ListingFault) -> Token {
        if byte == quote {
            quote = nil
        } else if quote == nil {
            if byte == UInt8(ascii: ">") {
                let name = HTMLTag(tag).name
                let isRaw = name == "script" || name == "style"
                state = isRaw && tag.first != UInt8(ascii: "/") ? .raw(end: Array("</\(name)".utf8), matched: 0) : .text
                return .tag
            }
            if isAfterEqual, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") { quote = byte }
            isAfterEqual = byte == UInt8(ascii: "=") || isAfterEqual && byte.isSpace
        }
        guard tag.count < ListingLimits.line else {
            throw ListingFault("a tag of the folder's page is longer than \(ListingLimits.line) bytes")
        }
        tag.append(byte)
        return .none
    }
}

/// A tag of HTML.
struct HTMLTag {
    /// In lower case, without the slash.
    let name: String
    let isEnd: Bool
    private let attributes: ArraySlice<UInt8>

    /// - Parameter bytes: what stands between `<` and `>`.
    init(_ bytes: [UInt8]) {
        isEnd = bytes.first == UInt8(ascii: "/")
        let rest = bytes.dropFirst(isEnd ? 1 : 0)
        let word = rest.prefix(while: \.isAlphanumeric)
        name = word.count <= 16 ? String(decoding: word.map { $0 | 0x20 }, as: UTF8.self) : ""
        attributes = rest[word.endIndex...]
    }

    /// The raw value of the first attribute with this name, which is in lower case.
    subscript(_ wanted: String) -> ArraySlice<UInt8>? {
        let equal = UInt8(ascii: "=")
        var rest = attributes
        while true {
            rest = rest.drop { $0.isSpace || $0 == UInt8(ascii: "/") }
            guard !rest.isEmpty else { return nil }
            // A `=` at the start belongs to the name, so that each turn reads something.
            let isEnd = { (byte: UInt8) in byte.isSpace || byte == equal || byte == UInt8(ascii: "/") }
            let end = rest.dropFirst().firstIndex(where: isEnd) ?? rest.endIndex
            let name = rest[..<end].map { $0.isAlphanumeric ? $0 | 0x20 : $0 }
            rest = rest[end...]
            let behind = rest.drop(while: \.isSpace)
            var value = rest.prefix(0)
            if behind.first == equal {
                rest = behind.dropFirst().drop(while: \.isSpace)
                if let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
                    value = rest.dropFirst().prefix { $0 != quote }
                    rest = rest[value.endIndex...].dropFirst()
                } else {
                    value = rest.prefix { !$0.isSpace }
                    rest = rest[value.endIndex...]
                }
            }
            if name.elementsEqual(wanted.utf8) { return value }
        }
    }
}

/// The entities of HTML that servers write.
enum HTMLEntities {
    private static let named: [String: String] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}",
    ]

    /// The text with its entities decoded. One that is not known stays as it is.
    static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8] {
        guard text.contains(UInt8(ascii: "&")) else { return Array(text) }
        var result: [UInt8] = []
        var rest = text
        while let start = rest.firstIndex(of: UInt8(ascii: "&")) {
            result += rest[..<start]
            let word = rest[start...].dropFirst().prefix(10).prefix { $0 == UInt8(ascii: "#") || $0.isAlphanumeric }
            if word.endIndex < rest.endIndex, rest[word.endIndex] == UInt8(ascii: ";"),
                let character = character(String(decoding: word, as: UTF8.self))
            {
                result += character.utf8
                rest = rest[(word.endIndex + 1)...]
            } else {
                result.append(UInt8(ascii: "&"))
                rest = rest[(start + 1)...]
            }
        }
        return result + rest
    }

    private static func character(_ word: String) -> String? {
        guard word.first == "#" else { return named[word] }
        let digits = word.dropFirst()
        let isHex = digits.first == "x" || digits.first == "X"
        let value = isHex ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits, radix: 10)
        return value.flatMap { Unicode.Scalar($0) }.map { String($0) }
    }
}

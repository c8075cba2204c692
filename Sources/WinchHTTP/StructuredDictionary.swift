import WinchModel

/// Parses the byte sequences in a structured field that is a dictionary: `sha-256=:AAEC:, unixsum=5;q=0.1`.
///
/// Members of other types are skipped. A field with a syntax error is ignored as a whole, as the standard requires.
///
/// - Source: RFC 8941, sections 3.2 and 4.2.
struct StructuredDictionary {
    private var rest: ArraySlice<UInt8>
    private var members: [(key: String, bytes: [UInt8]?)] = []

    /// The byte sequences by key, in order; of a key that is given twice the last counts. Empty when the field is malformed.
    static func byteSequences(_ field: some Collection<UInt8>) -> [(key: String, bytes: [UInt8])] {
        var reading = StructuredDictionary(rest: Array(field)[...])
        guard reading.readAll() else { return [] }
        return reading.members.compactMap { member in member.bytes.map { (member.key, $0) } }
    }

    private init(rest: ArraySlice<UInt8>) { self.rest = rest }

    private mutating func readAll() -> Bool {
        skip(" ")
        while !rest.isEmpty {
            guard let key = readKey() else { return false }
            var bytes: [UInt8]?
            if take("=") {
                guard case .some(let value) = readMember() else { return false }
                bytes = value
            }
            guard readParameters() else { return false }
            members.removeAll { $0.key == key }
            members.append((key, bytes))
            skip(" ", "\t")
            if rest.isEmpty { return true }
            guard take(",") else { return false }
            skip(" ", "\t")
            // A comma must be followed by a member.
            guard !rest.isEmpty else { return false }
        }
        return true
    }

    /// Reads an item or an inner list; `nil`: malformed; `.some(nil)`: not a byte sequence.
    private mutating func readMember() -> [UInt8]?? {
        guard take("(") else { return readItem() }
        while true {
            skip(" ")
            if take(")") { return .some(nil) }
            guard readItem() != nil, readParameters() else { return nil }
            guard rest.first == UInt8(ascii: " ") || rest.first == UInt8(ascii: ")") else { return nil }
        }
    }

    private mutating func readItem() -> [UInt8]?? {
        switch rest.first {
        case UInt8(ascii: ":"):
            rest = rest.dropFirst()
            let text = rest.prefix { $0 != UInt8(ascii: ":") }
            rest = rest.dropFirst(text.count)
            guard take(":"), let bytes = Base64.decoded(text) else { return nil }
            return .some(bytes)
        case UInt8(ascii: "\""): return readString() ? .some(nil) : nil
        case UInt8(ascii: "?"):
            rest = rest.dropFirst()
            return take("0") || take("1") ? .some(nil) : nil
        case .some(let first) where first == UInt8(ascii: "-") || first.isDigit:
            rest = rest.dropFirst()
            let digits = rest.prefix { $0.isDigit || $0 == UInt8(ascii: ".") }
            rest = rest.dropFirst(digits.count)
            return first.isDigit || digits.first?.isDigit == true ? .some(nil) : nil
        case .some(let first) where first.isLetter || first == UInt8(ascii: "*"):
            rest = rest.drop { $0.isLetter || $0.isDigit || "!#$%&'*+-.^_`|~:/".utf8.contains($0) }
            return .some(nil)
        default: return nil
        }
    }

    private mutating func readString() -> Bool {
        rest = rest.dropFirst()
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): return true
            case UInt8(ascii: "\\"):
                guard take("\\") || take("\"") else { return false }
            case 0x20...0x7E: break
            default: return false
            }
        }
        return false
    }

    private mutating func readParameters() -> Bool {
        while take(";") {
            skip(" ")
            guard readKey() != nil else { return false }
            if take("="), readItem() == nil { return false }
        }
        return true
    }

    private mutating func readKey() -> String? {
        guard let first = rest.first, first.isLowercase || first == UInt8(ascii: "*") else { return nil }
        let key = rest.prefix { $0.isLowercase || $0.isDigit || "_-.*".utf8.contains($0) }
        rest = rest.dropFirst(key.count)
        return String(decoding: key, as: UTF8.self)
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest = rest.dropFirst()
        return true
    }

    private mutating func skip(_ blanks: Unicode.Scalar...) {
        rest = rest.drop { byte in blanks.contains { UInt8(ascii: $0) == byte } }
    }
}

extension UInt8 {
    fileprivate var isLowercase: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) }
    fileprivate var isLetter: Bool { isLowercase || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) }
}

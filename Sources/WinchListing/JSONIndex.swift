import WinchModel

/// Reads the JSON of nginx (`autoindex_format json`) and of Caddy: an array of objects with a name and a kind. Other values of
/// the objects are skipped. By hand, because names need not be UTF-8.
///
/// - Source: https://nginx.org/en/docs/http/ngx_http_autoindex_module.html; Caddy's `fileserver/browsetplcontext.go`.
package struct JSONIndex: ListingParser {
    private enum State {
        case between
        case string
        /// Behind a backslash.
        case escape
        /// Within `\uXXXX`, behind so many digits.
        case code(UInt16, digits: Int)
        /// Within a number or a word.
        case word
    }

    private struct Entry {
        var name: [UInt8]?
        var kind: ListedEntry.Kind?
        var isLink = false
        /// Neither a file nor a folder.
        var isOther = false
        var version = ListedVersion()
    }

    private var length = ListingLength()
    private var state = State.between
    /// The string or word that is being read, or was read last.
    private var value: [UInt8] = []
    /// Of UTF-16, not appended yet: the first half of a pair.
    private var units: [UInt16] = []
    /// The containers that are open; true for an object.
    private var levels: [Bool] = []
    private var key: String?
    private var entry = Entry()
    private var isEnded = false

    package init() {}

    package mutating func read(_ bytes: UnsafeRawBufferPointer, _ take: (ListedEntry) -> Void) throws(ListingFault) {
        try length.add(bytes.count)
        for byte in bytes { try read(byte, take) }
    }

    package mutating func end(_ take: (ListedEntry) -> Void) throws(ListingFault) -> ListingEnd {
        guard isEnded else { throw ListingFault("the folder's list in JSON is cut short") }
        return .complete
    }

    private mutating func read(_ byte: UInt8, _ take: (ListedEntry) -> Void) throws(ListingFault) {
        switch state {
        case .between: try begin(byte, take)
        case .word:
            if byte.isAlphanumeric || "+-.".utf8.contains(byte) { return try append(byte) }
            readWord()
            state = .between
            try begin(byte, take)
        case .string:
            switch byte {
            case UInt8(ascii: "\\"): state = .escape
            case UInt8(ascii: "\""):
                try endPair()
                state = .between
                readString()
            default:
                try endPair()
                try append(byte)
            }
        case .escape: try readEscape(byte)
        case .code(let code, let digits):
            guard let digit = byte.hexValue else { throw Self.notJSON }
            let sum = code << 4 | UInt16(digit)
            state = digits == 3 ? .string : .code(sum, digits: digits + 1)
            if digits == 3 { try append(unit: sum) }
        }
    }

    private static let notJSON = ListingFault("the folder's list is no JSON")
    private static let notList = ListingFault("this JSON is no list of a folder's files")

    /// Reads a byte that begins or ends a value.
    private mutating func begin(_ byte: UInt8, _ take: (ListedEntry) -> Void) throws(ListingFault) {
        if byte.isSpace { return }
        guard !isEnded else { throw Self.notJSON }
        if levels.isEmpty, byte != UInt8(ascii: "[") { throw Self.notList }
        switch byte {
        case UInt8(ascii: "["), UInt8(ascii: "{"):
            let isObject = byte == UInt8(ascii: "{")
            // The array consists of objects.
            guard levels.count != 1 || isObject else { throw Self.notList }
            guard levels.count < ListingLimits.levels else {
                throw ListingFault("the folder's list in JSON has more than \(ListingLimits.levels) levels")
            }
            levels.append(isObject)
            if levels.count == 2 { (entry, key) = (Entry(), nil) }
        case UInt8(ascii: "]"), UInt8(ascii: "}"):
            guard levels.popLast() == (byte == UInt8(ascii: "}")) else { throw Self.notJSON }
            if levels.count == 1 { try finish(take) }
            isEnded = levels.isEmpty
        case UInt8(ascii: ":"):
            if levels.count == 2 { key = value.count <= 16 ? String(decoding: value, as: UTF8.self) : "" }
        case UInt8(ascii: ","):
            if levels.count == 2 { key = nil }
        case UInt8(ascii: "\""):
            guard levels.count > 1 else { throw Self.notList }
            value.removeAll(keepingCapacity: true)
            state = .string
        case _ where byte.isAlphanumeric || byte == UInt8(ascii: "-"):
            guard levels.count > 1 else { throw Self.notList }
            value = [byte]
            state = .word
        default: throw Self.notJSON
        }
    }

    // MARK: Strings

    private mutating func append(_ byte: UInt8) throws(ListingFault) {
        guard value.count < ListingLimits.line else {
            throw ListingFault("a value of the folder's list in JSON is longer than \(ListingLimits.line) bytes")
        }
        value.append(byte)
    }

    private static let escapes = Dictionary(
        uniqueKeysWithValues: zip("bfnrt".utf8, [0x08, 0x0C, 0x0A, 0x0D, 0x09] as [UInt8]))

    private mutating func readEscape(_ byte: UInt8) throws(ListingFault) {
        state = .string
        guard byte != UInt8(ascii: "u") else {
            state = .code(0, digits: 0)
            return
        }
        try endPair()
        try append(Self.escapes[byte] ?? byte)
    }

    /// Appends a unit of UTF-16. Half a pair becomes U+FFFD.
    private mutating func append(unit: UInt16) throws(ListingFault) {
        if !UTF16.isTrailSurrogate(unit) { try endPair() }
        units.append(unit)
        if !UTF16.isLeadSurrogate(unit) { try endPair() }
    }

    /// No second half of a pair follows.
    private mutating func endPair() throws(ListingFault) {
        guard !units.isEmpty else { return }
        let text = String(decoding: units, as: UTF16.self)
        units = []
        for byte in text.utf8 { try append(byte) }
    }

    // MARK: Entries

    private mutating func readString() {
        guard levels.count == 2, let key else { return }
        switch key {
        case "name": entry.name = value
        case "type":
            switch String(decoding: value, as: UTF8.self) {
            case "file": entry.kind = .file
            case "directory": entry.kind = .folder
            case "other": entry.isOther = true
            default: break
            }
        case "mtime", "mod_time": entry.version.time = ListingDates.exact(value[...])
        default: break
        }
    }

    private mutating func readWord() {
        guard levels.count == 2, let key else { return }
        switch key {
        case "size": entry.version.size = ListedSize(digits: value[...])
        case "is_dir": entry.kind = value.elementsEqual("true".utf8) ? .folder : .file
        case "is_symlink": entry.isLink = value.elementsEqual("true".utf8)
        default: break
        }
    }

    private mutating func finish(_ take: (ListedEntry) -> Void) throws(ListingFault) {
        guard var name = entry.name, entry.kind != nil || entry.isOther else { throw Self.notList }
        guard let kind = entry.kind else { return }
        // Caddy's names of folders end with a slash.
        if kind == .folder, name.last == UInt8(ascii: "/") { name.removeLast() }
        take(ListedEntry(name: name, kind: kind == .file && entry.isLink ? .link : kind, version: entry.version))
    }
}

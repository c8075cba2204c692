import WinchModel

/// A rule of `--include` or `--exclude`, compared with many paths. Works on bytes, so `é` in UTF-8 is two of them.
///
/// - `*` matches any bytes but a slash, `?` one byte that is no slash, `**` any bytes; `[a-z]` and `[!a-z]` match one byte, and
///   `\` takes the next byte as it is.
/// - A slash at the beginning ties the pattern to the start of the tree. A pattern with another slash or with `**` matches the
///   whole path or its end from any component on, and any other pattern matches the last component.
/// - A slash at the end restricts the pattern to folders. `--exclude '*'` is restricted to files, so that an `--include` behind
///   it reaches the files of all folders.
///
/// Time is in proportion to the length of the path times that of the pattern: paths come from servers.
struct GlobMatcher {
    private enum Token {
        case byte(UInt8)
        case single
        case set([ClosedRange<UInt8>], isNegated: Bool)
        /// `*`
        case run
        /// `**`
        case deepRun

        func takes(_ byte: UInt8) -> Bool {
            switch self {
            case .byte(let own): own == byte
            case .single, .run: byte != .slash
            case .set(let ranges, let isNegated):
                byte != .slash && ranges.contains(where: { $0.contains(byte) }) != isNegated
            case .deepRun: true
            }
        }

        /// The token matches any number of bytes, or none.
        var isRun: Bool {
            switch self {
            case .run, .deepRun: true
            case .byte, .single, .set: false
            }
        }
    }

    let includes: Bool
    private let tokens: [Token]
    private let isAnchored: Bool
    /// The pattern is compared with the path, not with its last component alone.
    private let isOfPath: Bool
    private let isForFolders: Bool
    private let isForFiles: Bool

    init(_ rule: GlobRule) {
        includes = rule.includes
        isForFiles = !rule.includes && rule.pattern.elementsEqual("*".utf8)
        var pattern = rule.pattern[...]
        isForFolders = pattern.last == .slash
        if isForFolders { pattern.removeLast() }
        let isAnchored = pattern.first == .slash
        // `**/name` is the name at any level, also at the first.
        if isAnchored { pattern.removeFirst() } else if pattern.starts(with: "**/".utf8) { pattern.removeFirst(3) }
        let tokens = Self.tokens(of: pattern)
        let reachesPath = tokens.contains { token in
            switch token {
            case .byte(let byte): byte == .slash
            case .deepRun: true
            case .single, .set, .run: false
            }
        }
        (self.tokens, self.isAnchored, isOfPath) = (tokens, isAnchored, isAnchored || reachesPath)
    }

    private static func tokens(of pattern: ArraySlice<UInt8>) -> [Token] {
        var tokens: [Token] = []
        var rest = pattern
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "*"):
                let isDeep = rest.first == byte
                rest = rest.drop { $0 == byte }
                tokens.append(isDeep ? .deepRun : .run)
            case UInt8(ascii: "?"): tokens.append(.single)
            case UInt8(ascii: "["): tokens.append(readSet(&rest) ?? .byte(byte))
            case UInt8(ascii: "\\"): tokens.append(.byte(rest.popFirst() ?? byte))
            default: tokens.append(.byte(byte))
            }
        }
        return tokens
    }

    /// Reads the rest of a set behind its `[`; `nil`: it has no end, and the `[` stands for itself.
    private static func readSet(_ text: inout ArraySlice<UInt8>) -> Token? {
        var rest = text
        let isNegated = rest.first == UInt8(ascii: "!") || rest.first == UInt8(ascii: "^")
        if isNegated { rest.removeFirst() }
        var ranges: [ClosedRange<UInt8>] = []
        var isFirst = true
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "]"), !isFirst {
                text = rest
                return .set(ranges, isNegated: isNegated)
            }
            isFirst = false
            let low = byte == UInt8(ascii: "\\") ? rest.popFirst() ?? byte : byte
            var high = low
            if rest.first == UInt8(ascii: "-"), let end = rest.dropFirst().first, end != UInt8(ascii: "]") {
                rest.removeFirst(2)
                high = end == UInt8(ascii: "\\") ? rest.popFirst() ?? end : end
            }
            if low <= high { ranges.append(low...high) }
        }
        return nil
    }

    /// - Parameter path: the components below the start, with slashes between them.
    func matches(_ path: [UInt8], isFolder: Bool) -> Bool {
        if isFolder ? isForFiles : isForFolders { return false }
        let start = isOfPath ? nil : path.lastIndex(of: .slash)
        // The tokens that may take the next byte; the last place stands for the end of the pattern.
        var places = [Bool](repeating: false, count: tokens.count + 1)
        places[0] = true
        passRuns(&places)
        for byte in path[(start.map { $0 + 1 } ?? 0)...] {
            // From the end on, so that each place still finds the one before it as it was.
            places[tokens.count] = false
            for index in tokens.indices.reversed() where places[index] {
                let isTaken = tokens[index].takes(byte)
                places[index] = isTaken && tokens[index].isRun
                if isTaken, !tokens[index].isRun { places[index + 1] = true }
            }
            if byte == .slash, !isAnchored { places[0] = true }
            passRuns(&places)
        }
        return places[tokens.count]
    }

    private func passRuns(_ places: inout [Bool]) {
        for (index, token) in tokens.enumerated() where places[index] && token.isRun { places[index + 1] = true }
    }
}

extension [GlobMatcher] {
    /// The last rule that matches decides; without one the entry is taken.
    ///
    /// - Parameter path: the components below the start, with slashes between them.
    func take(_ path: [UInt8], isFolder: Bool) -> Bool {
        last(where: { $0.matches(path, isFolder: isFolder) })?.includes ?? true
    }
}

extension UInt8 {
    static var slash: UInt8 { UInt8(ascii: "/") }
}

/// A list of host patterns, as in ssh_config and known_hosts: `*` matches any text, `?` any character, and hosts that match a
/// pattern with `!` before it are excluded.
///
/// - Source: ssh_config(5), PATTERNS.
struct SSHPatternList: Hashable, Sendable {
    private struct Pattern: Hashable {
        var bytes: [UInt8]
        var isNegated: Bool
    }

    private let patterns: [Pattern]

    /// - Parameter words: one pattern each; matched without regard to case.
    init(_ words: [some StringProtocol]) {
        patterns = words.map { word in
            let isNegated = word.utf8.first == UInt8(ascii: "!")
            return Pattern(bytes: Array(word.lowercased().utf8.dropFirst(isNegated ? 1 : 0)), isNegated: isNegated)
        }
    }

    /// True when at least one pattern matches and no negated pattern does.
    func matches(_ name: String) -> Bool {
        let name = Array(name.lowercased().utf8)
        var isMatched = false
        for pattern in patterns where Self.matches(pattern.bytes, name) {
            if pattern.isNegated { return false }
            isMatched = true
        }
        return isMatched
    }

    /// Goes back to the last star only, so the time is bounded by the product of the two lengths.
    private static func matches(_ pattern: [UInt8], _ name: [UInt8]) -> Bool {
        var (place, at) = (0, 0)
        var star: (place: Int, at: Int)?
        while at < name.count {
            if place < pattern.count, pattern[place] == UInt8(ascii: "*") {
                star = (place, at)
                place += 1
            } else if place < pattern.count, pattern[place] == UInt8(ascii: "?") || pattern[place] == name[at] {
                place += 1
                at += 1
            } else if let last = star {
                star = (last.place, last.at + 1)
                place = last.place + 1
                at = last.at + 1
            } else {
                return false
            }
        }
        return pattern[place...].allSatisfy { $0 == UInt8(ascii: "*") }
    }
}

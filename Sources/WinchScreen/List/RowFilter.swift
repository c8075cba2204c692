import WinchModel

/// The user's filter for rows: words that must all match, regardless of case.
///
/// `name:x` and `host:x` search for `x` in the name or the host, `state:x` matches a state that begins with `x`. A
/// word alone is searched for in the name, or is the whole name of a state; it is not searched for in the host, since
/// otherwise `!1` would hide all rows of the host 127.0.0.1. `!` before a word negates it. An incomplete word,
/// `state:` or `!`, matches every row.
struct RowFilter: Hashable, Sendable {
    private struct Term: Hashable, Sendable {
        enum Kind: Hashable, Sendable {
            case name(FoldedText)
            case host(FoldedText)
            case state(FilterStateWord.Bits)
            case any(FoldedText, FilterStateWord.Bits)
        }

        var kind: Kind
        var isInverted: Bool
    }

    private let terms: [Term]

    init(_ text: String) {
        terms = text.split(whereSeparator: \.isWhitespace).compactMap(Self.term)
    }

    /// The filter matches every row.
    var isEmpty: Bool { terms.isEmpty }

    func matches(_ row: TransferSnapshot) -> Bool {
        for term in terms where Self.holds(term.kind, of: row) == term.isInverted { return false }
        return true
    }

    private static func holds(_ kind: Term.Kind, of row: TransferSnapshot) -> Bool {
        switch kind {
        case .name(let text): text.isIn(row.name)
        case .host(let text): text.isIn(row.host)
        case .state(let states): !states.isDisjoint(with: FilterStateWord.Bits(of: row))
        case .any(let text, let states):
            text.isIn(row.name) || !states.isEmpty && !states.isDisjoint(with: FilterStateWord.Bits(of: row))
        }
    }

    private static func term(_ word: Substring) -> Term? {
        let bare = word.drop { $0 == "!" }
        let isInverted = (word.count - bare.count) % 2 == 1
        guard !bare.isEmpty else { return nil }
        if let colon = bare.firstIndex(of: ":") {
            let value = String(bare[bare.index(after: colon)...])
            switch bare[..<colon].lowercased() {
            case "name": return value.isEmpty ? nil : Term(kind: .name(FoldedText(value)), isInverted: isInverted)
            case "host": return value.isEmpty ? nil : Term(kind: .host(FoldedText(value)), isInverted: isInverted)
            case "state":
                let states = FilterStateWord.Bits(prefix: value.lowercased())
                return value.isEmpty ? nil : Term(kind: .state(states), isInverted: isInverted)
            default: break  // a port, or a name with a colon in it
            }
        }
        let states = FilterStateWord.Bits(FilterStateWord(rawValue: bare.lowercased()).map { [$0] } ?? [])
        return Term(kind: .any(FoldedText(String(bare)), states), isInverted: isInverted)
    }
}

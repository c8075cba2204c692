/// The names of keys, as the user reads and writes them.
extension Key {
    /// The key's name for the user: `p`, `Ctrl-L`, `PgUp`, `↑`.
    func name(isASCII: Bool) -> String {
        switch self {
        case .character(" "): "Space"
        case .character(let character): String(character)
        case .control(let letter): "Ctrl-" + letter.uppercased()
        case .enter: "Enter"
        case .escape: "Esc"
        case .tab: "Tab"
        case .backTab: "S-Tab"
        case .backspace: "Backspace"
        case .delete: "Del"
        case .up: isASCII ? "Up" : "↑"
        case .down: isASCII ? "Down" : "↓"
        case .left: isASCII ? "Left" : "←"
        case .right: isASCII ? "Right" : "→"
        case .home: "Home"
        case .end: "End"
        case .pageUp: "PgUp"
        case .pageDown: "PgDn"
        case .function(let number): "F\(number)"
        case .paste: "paste"
        case .mouse: "mouse"
        }
    }

    /// Keys that have a name of more than one letter.
    private static let named: [Key] =
        [
            .character(" "), .enter, .escape, .tab, .backTab, .backspace, .delete, .up, .down, .left, .right, .home,
            .end,
            .pageUp, .pageDown,
        ] + (1...12).map { .function($0) }

    static var names: [String] { named.map { $0.name(isASCII: true) } }

    /// The inverse of `name(isASCII: true)`, in any case: `p`, `Ctrl-L`, `PgUp`, `F5`, `Space`.
    init?(named name: String) {
        let lower = name.lowercased()
        if name.count == 1, let character = name.first {
            self = .character(character)
        } else if lower.hasPrefix("ctrl-"), lower.count == 6, let letter = lower.last, letter.isASCII, letter.isLetter {
            self = .control(letter)
        } else if let key = Self.named.first(where: { $0.name(isASCII: true).lowercased() == lower }) {
            self = key
        } else {
            return nil
        }
    }
}

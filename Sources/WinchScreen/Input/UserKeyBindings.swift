package import WinchBatch

/// The key map with the user's changes: lines of `key.ACTION=KEYS` in the settings.
///
/// An action is named as after `:`, e.g. `pause` or `retry-failed`. Keys are separated by blanks, e.g. `p Ctrl-P F5`;
/// an empty list leaves the action without keys. A key that was bound to another action is removed from that one.
package struct UserKeyBindings: Sendable {
    /// The errors in lines; the other lines are applied.
    package private(set) var problems: [BatchProblem] = []
    private(set) var keyMap = KeyMap.standard

    /// - Parameter lines: the keys of an action by its name.
    package init(_ lines: [NameValueLines.Line] = []) {
        for line in lines {
            guard let message = take(line.setting) else { continue }
            problems.append(BatchProblem(line: line.number, severity: .warning, message: message))
        }
    }

    /// - Returns: the error in the line, or `nil`.
    private mutating func take(_ line: NameValueLine) -> String? {
        guard let intent = KeyAction.allCases.first(where: { $0.name == line.name }) else {
            return "there is no action \(line.name.prefix(40))"
                + NearestName.question(for: line.name, among: KeyAction.allCases.map(\.name))
        }
        var keys: [Key] = []
        for word in line.value.split(separator: " ") {
            guard let key = Key(named: String(word)) else {
                return "there is no key \(word.prefix(40))" + NearestName.question(for: word, among: Key.names)
            }
            // The key that ends the program cannot be bound to another action.
            guard keyMap[key] != .interrupt || intent == .interrupt else { return "\(word) always ends the program" }
            keys.append(key)
        }
        guard intent != .interrupt || keys.contains(.control("c")) else { return "Ctrl-C always ends the program" }
        keyMap = KeyMap(
            keyMap.bindings.map { binding in
                var binding = binding
                binding.keys = binding.intent == intent ? keys : binding.keys.filter { !keys.contains($0) }
                return binding
            })
        return nil
    }
}

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
            .end, .pageUp, .pageDown,
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

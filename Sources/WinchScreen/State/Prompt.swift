/// One line being typed, with a cursor; kept as characters so that a key costs the same in a long paste.
struct Prompt: Hashable, Sendable {
    private(set) var characters: [Character] = []
    /// 0 to `characters.count`: where the next character goes.
    private(set) var cursor = 0
    /// Why what was entered is not taken; goes with the next key.
    private(set) var fault: String?
    /// The characters are not shown: a passphrase is typed. A line end in a paste is left out.
    let isMasked: Bool
    /// All of the text is selected: what is typed next replaces it.
    private(set) var isSelected = false

    var text: String { String(characters) }

    /// - Parameter text: to go on from its end.
    init(text: String = "", isMasked: Bool = false, isSelected: Bool = false) {
        self.isMasked = isMasked
        insert(text)
        self.isSelected = isSelected && !characters.isEmpty
    }

    /// What a key did to the line.
    enum Outcome: Hashable, Sendable {
        case edited
        case entered
        case closed
        case ignored
    }

    mutating func press(_ key: Key) -> Outcome {
        fault = nil
        if isSelected { release(key) }
        switch key {
        case .character(let character): insert(String(character))
        case .paste(let text): insert(text)
        case .enter: return .entered
        case .escape: return .closed
        case .left: cursor = max(0, cursor - 1)
        case .right: cursor = min(characters.count, cursor + 1)
        case .home, .control("a"): cursor = 0
        case .end, .control("e"): cursor = characters.count
        case .backspace, .control("h"): remove(from: max(0, cursor - 1), to: cursor)
        case .delete, .control("d"): remove(from: cursor, to: min(characters.count, cursor + 1))
        case .control("u"): remove(from: 0, to: cursor)
        case .control("k"): remove(from: cursor, to: characters.count)
        case .control("w"): remove(from: startOfWord, to: cursor)
        case .control, .tab, .backTab, .up, .down, .pageUp, .pageDown, .function, .mouse: return .ignored
        }
        return .edited
    }

    /// The first key after the whole text was selected: it goes, or keeps the text and edits it.
    private mutating func release(_ key: Key) {
        switch key {
        case .character, .paste, .backspace, .delete, .control("h"): remove(from: 0, to: characters.count)
        case .enter, .escape: return
        default: break
        }
        isSelected = false
    }

    /// The same line, to be mended.
    func refused(_ refusal: Refusal) -> Prompt {
        var prompt = self
        prompt.fault = refusal.words
        return prompt
    }

    /// Line ends and tabs stay, they part URLs and mirrors; other controls are left out.
    private mutating func insert(_ text: String) {
        let room = Self.longest - characters.count
        guard room > 0 else { return }
        var new: [Character] = []
        for character in text.prefix(room) {
            if character.isNewline {
                guard !isMasked else { continue }
                new.append("\n")
            } else if character == "\t" || !Self.isControl(character) {
                new.append(character)
            }
        }
        characters.insert(contentsOf: new, at: cursor)
        cursor += new.count
    }

    private mutating func remove(from start: Int, to end: Int) {
        characters.removeSubrange(start..<end)
        cursor = start
    }

    /// Where the word left of the cursor begins; blanks after it belong to it, and a part of a URL is a word.
    private var startOfWord: Int {
        var place = cursor
        while place > 0, Self.parts(characters[place - 1]) { place -= 1 }
        while place > 0, !Self.parts(characters[place - 1]) { place -= 1 }
        return place
    }

    private static func parts(_ character: Character) -> Bool {
        character.isWhitespace || character == "/"
    }

    private static func isControl(_ character: Character) -> Bool {
        character.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }

    /// A paste of a few thousand URLs fits; a file pasted by mistake must not fill the memory.
    private static let longest = 1_000_000
}

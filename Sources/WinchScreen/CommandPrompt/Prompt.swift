/// A line being typed, with a cursor. Stored as an array of characters, so that the cursor is an index and a key in a
/// long paste costs the same as in a short line.
struct Prompt: Hashable, Sendable {
    private(set) var characters: [Character] = []
    /// 0 to `characters.count`: where the next character goes.
    private(set) var cursor = 0
    /// Why the entered line or a paste was refused; cleared by the next key.
    var fault: String?
    /// Characters are drawn masked, for a passphrase. Line ends in a paste are dropped.
    let isMasked: Bool
    /// All of the text is selected: what is typed next replaces it.
    private(set) var isSelected = false

    var text: String { String(characters) }

    /// - Parameter text: the initial text; the cursor is at its end.
    init(text: String = "", isMasked: Bool = false, isSelected: Bool = false) {
        self.isMasked = isMasked
        insert(text)
        self.isSelected = isSelected && !characters.isEmpty
    }

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

    /// Handles the first key after the whole text was selected: typing, pasting and deleting replace the text, other
    /// keys keep it and end the selection.
    private mutating func release(_ key: Key) {
        switch key {
        case .character, .paste, .backspace, .delete, .control("h"): remove(from: 0, to: characters.count)
        case .enter, .escape: return
        default: break
        }
        isSelected = false
    }

    /// Inserts text at the cursor. Line ends and tabs are kept, since they separate URLs and mirrors; other control
    /// characters are dropped. Text that has no room is refused as a whole: half a list would end in half a URL.
    private mutating func insert(_ text: String) {
        guard text.count <= Self.longest - characters.count else {
            fault = "Not pasted: a line has room for 2 million characters; add a longer list as a file, with its name"
            return
        }
        var new: [Character] = []
        for character in text {
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

    /// Start of the word left of the cursor, for deleting it. Words are separated by whitespace and `/`, so a
    /// component of a URL is a word; separators right of the word belong to it.
    private var startOfWord: Int {
        var place = cursor
        while place > 0, Self.parts(characters[place - 1]) { place -= 1 }
        while place > 0, !Self.parts(characters[place - 1]) { place -= 1 }
        return place
    }

    private static func parts(_ character: Character) -> Bool { character.isWhitespace || character == "/" }

    private static func isControl(_ character: Character) -> Bool {
        character.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }

    /// 2,000,000 characters of 16 bytes each: a paste of ten thousand URLs fits; a file pasted by mistake must not exhaust
    /// the memory.
    static let longest = 2_000_000
}

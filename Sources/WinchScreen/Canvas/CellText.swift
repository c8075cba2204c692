import WinchModel

/// What a cell shows: a base scalar with its combining marks, or nothing.
///
/// It has a fixed size and no references, because a frame copies, compares and frees thousands of them: with `Character`s that
/// takes longer than drawing.
package struct CellText: Hashable, Sendable {
    /// The base in the lowest 21 bits, above it two marks of 21 bits each; 0 where there is none.
    private let first: UInt64
    /// The third mark; 0: there is none.
    private let third: UInt32

    /// Nothing: the second column of a wide character.
    static let nothing = CellText(first: 0, third: 0)
    static let space = CellText(first: 0x20, third: 0)

    private init(first: UInt64, third: UInt32) { (self.first, self.third) = (first, third) }

    /// Marks after the third are left out.
    init(_ character: Character) {
        var scalars = character.unicodeScalars.makeIterator()
        func next() -> UInt64 { scalars.next().map { UInt64($0.value) } ?? 0 }
        first = next() | next() << 21 | next() << 42
        third = UInt32(next())
    }

    package var isEmpty: Bool { first == 0 }

    /// `nil` if it is empty.
    package var base: Unicode.Scalar? { first == 0 ? nil : Self.scalar(first) }

    /// The combining marks, in order; nearly always none.
    package var marks: [Unicode.Scalar] {
        guard first >> 21 != 0 else { return [] }
        return [first >> 21, first >> 42, UInt64(third)].prefix { $0 & Self.mask != 0 }.compactMap(Self.scalar)
    }

    /// `nil` if it is empty.
    var character: Character? {
        guard let base else { return nil }
        guard first >> 21 != 0 else { return Character(base) }
        return String(String.UnicodeScalarView([base] + marks)).first
    }

    private static let mask: UInt64 = 0x1F_FFFF
    private static func scalar(_ bits: UInt64) -> Unicode.Scalar? { Unicode.Scalar(UInt32(bits & mask)) }
}

/// A character that a cell can show: a printable base with its combining marks, and the columns it takes.
struct CellCharacter: Hashable, Sendable {
    let content: CellText
    /// 1 or 2.
    let columns: Int

    var character: Character { content.character ?? " " }

    /// - Parameter columns: the width of the base by `ScalarWidth`. The caller has checked the character.
    init(_ character: Character, columns: Int = 1) { self.init(CellText(character), columns: columns) }

    init(_ content: CellText, columns: Int = 1) {
        self.content = content
        self.columns = columns
    }

    /// The glyph that a cell may hold, or `nil` for anything that is not exactly one printable base with marks.
    init?(checking character: Character) {
        var scalars = character.unicodeScalars.makeIterator()
        guard let base = scalars.next(), case .spacing(let columns) = ScalarWidth(base) else { return nil }
        while let scalar = scalars.next() {
            guard case .mark = ScalarWidth(scalar) else { return nil }
        }
        self.init(character, columns: columns)
    }

    static let blank = CellCharacter(" ")

    /// Most text is printable ASCII: its glyphs are made once.
    static func ascii(_ scalar: Unicode.Scalar) -> CellCharacter? {
        scalar.value >= 0x20 && scalar.value < 0x7F ? printable[Int(scalar.value) - 0x20] : nil
    }

    private static let printable = (UInt8(0x20)..<0x7F).map { CellCharacter(Character(Unicode.Scalar($0))) }

    /// The glyph with one more combining mark. Unchanged if the mark does not combine, or if there are `mostMarks`
    /// already; ncurses stores at most four in a cell.
    func adding(_ mark: Unicode.Scalar) -> CellCharacter {
        guard character.unicodeScalars.count <= Self.mostMarks else { return self }
        var text = String(character)
        text.unicodeScalars.append(mark)
        guard let joined = text.first, joined.unicodeScalars.count == text.unicodeScalars.count else { return self }
        return CellCharacter(joined, columns: columns)
    }

    /// 3 marks: enough for every living script. More occur only in text that is made to disturb the display.
    private static let mostMarks = 3
}

/// How a Unicode scalar is shown in a line of cells.
enum ScalarWidth: Hashable, Sendable {
    case spacing(columns: Int)
    /// A combining mark: drawn on the character before it, takes no column.
    case mark
    /// Half of a flag (regional indicator): terminals disagree on the width of pairs, so it is shown as this letter.
    case flagLetter(Character)
    /// A skin tone or a joiner of emoji: terminals disagree on the width of the result, so it is dropped after an
    /// emoji.
    case emojiPart(columns: Int)
    /// A variation selector: chooses between two glyphs of the character before it.
    case variation
    /// A blank of one column.
    case blank
    /// Control, direction, invisible and unassigned characters: they could control the terminal or mislead the
    /// reader.
    case unprintable

    /// Source: Unicode general categories from the standard library; East Asian width by `isWide`. The result is what
    /// `wcwidth` of glibc says, since that is how ncurses places cells.
    init(_ scalar: Unicode.Scalar) {
        let value = scalar.value
        if value >= 0x20 && value < 0x7F || Self.drawing.contains(value) {
            self = .spacing(columns: 1)
            return
        }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: self = scalar.properties.isVariationSelector ? .variation : .mark
        case .control, .surrogate, .unassigned, .lineSeparator, .paragraphSeparator: self = .unprintable
        case .privateUse where SystemText.byte(scalar) != nil: self = .unprintable
        case .format: self = value == 0x200D || Self.tags.contains(value) ? .emojiPart(columns: 0) : .unprintable
        case .spaceSeparator: self = value == 0x3000 ? .spacing(columns: 2) : .blank
        default:
            if Self.jamoTails.contains(where: { $0.contains(value) }) {
                self = .mark
            } else if Self.flagLetters.contains(value) {
                let letter = Unicode.Scalar(UInt8(65 + value - Self.flagLetters.lowerBound))
                self = .flagLetter(Character(letter))
            } else if scalar.properties.isDefaultIgnorableCodePoint {
                self = .unprintable
            } else if scalar.properties.isEmojiModifier {
                self = .emojiPart(columns: 2)
            } else {
                self = .spacing(columns: Self.isWide(scalar) ? 2 : 1)
            }
        }
    }

    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value >= 0x1100 else { return false }
        return wide.contains { $0.contains(scalar.value) } || scalar.properties.isEmojiPresentation
    }

    /// East Asian width W and F, without emoji: those the standard library knows. Derived from Unicode 15
    /// (EastAsianWidth.txt), joined over unassigned gaps.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0xA4C6, 0xA960...0xA97C, 0xAC00...0xD7A3,
        0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6B, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x1B2FF,
        0x1F200...0x1F265, 0x20000...0x3FFFD,
    ]
    /// Box drawing and block elements: most of what the screen itself draws, so they are tested first.
    private static let drawing: ClosedRange<UInt32> = 0x2500...0x259F
    /// Vowels and finals that complete a Korean syllable.
    private static let jamoTails: [ClosedRange<UInt32>] = [0x1160...0x11FF, 0xD7B0...0xD7FB]
    private static let flagLetters: ClosedRange<UInt32> = 0x1F1E6...0x1F1FF
    private static let tags: ClosedRange<UInt32> = 0xE0020...0xE007F
}

extension Unicode.Scalar {
    /// The ASCII character, one column wide, that replaces it where only ASCII can be shown: the letter without its
    /// diacritics, the plain form of a punctuation mark. `nil` if there is none.
    var asciiFallback: Character? {
        switch value {
        case 0xC0...0x17F:
            let fallback = Self.latin[Int(value) - 0xC0]
            return fallback == UInt8(ascii: "?") ? nil : Character(Unicode.Scalar(fallback))
        case 0x2010...0x2015, 0x2212: return "-"
        case 0x2018...0x201B, 0x2032, 0xB4: return "'"
        case 0x201C...0x201F, 0x2033, 0xAB, 0xBB: return "\""
        case 0x2022, 0xB7, 0x2026: return "."
        case 0x2044: return "/"
        case 0xD7: return "x"
        // Full-width forms, as Japanese keyboards type them.
        case 0xFF01...0xFF5E: return Unicode.Scalar(value - 0xFEE0).map { Character($0) }
        default: return nil
        }
    }

    /// From U+00C0 to U+017F: the base letter of the canonical decomposition; for letters without one, the most
    /// common substitute.
    private static let latin = Array(
        ("AAAAAAACEEEEIIIIDNOOOOOxOUUUUYTs" + "aaaaaaaceeeeiiiidnooooo/ouuuuyty" + "AaAaAaCcCcCcCcDdDdEeEeEeEeEeGgGg"
            + "GgGgHhHhIiIiIiIiIiIiJjKkkLlLlLlL" + "lLlNnNnNnnNnOoOoOoOoRrRrRrSsSsSs"
            + "SsTtTtTtUuUuUuUuUuUuWwYyYZzZzZzs").utf8)
}

import WinchModel

/// How a Unicode scalar is shown in a line of cells.
enum ScalarWidth: Hashable, Sendable {
    /// Takes one or two columns.
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
        case .nonspacingMark, .enclosingMark:
            self = scalar.properties.isVariationSelector ? .variation : .mark
        case .control, .surrogate, .unassigned, .lineSeparator, .paragraphSeparator:
            self = .unprintable
        case .privateUse where SystemText.byte(scalar) != nil:
            self = .unprintable
        case .format:
            self = value == 0x200D || Self.tags.contains(value) ? .emojiPart(columns: 0) : .unprintable
        case .spaceSeparator:
            self = value == 0x3000 ? .spacing(columns: 2) : .blank
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

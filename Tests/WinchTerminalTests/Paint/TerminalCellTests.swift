import TestSupport
import Testing

@testable import WinchTerminal

extension `The terminal` {
    @Suite struct `A terminal cell` {
        init() { useUTF8() }

        @Test(arguments: [
            "\u{1B}", "\u{9B}", "\n", "\u{7}", "\u{7F}", "\u{0}", "\u{202E}", "\u{2028}", "\u{301}", "\r\n", "中",
            "\u{200D}",
        ])
        func `is a question mark if the character does not fit`(character: Character) {
            expectEqual(TerminalCell(character, room: 1), .unknown)
        }

        @Test(arguments: [
            ("a", 1, "a", 1), ("中", 2, "中", 2), ("▊", 1, "▊", 1), ("é", 1, "é", 1), ("a", 2, "a", 1),
            ("\u{1112}\u{1161}\u{11AB}", 2, "\u{1112}\u{1161}\u{11AB}", 2), ("👩‍👩‍👧", 2, "👩", 2), ("⚠\u{FE0F}", 1, "⚠", 1),
            (
                "z\u{300}\u{301}\u{302}\u{303}\u{304}\u{305}", 1, "z\u{300}\u{301}\u{302}\u{303}", 1
            ),
        ])
        func `has a base character and up to four marks`(character: Character, room: Int, text: String, columns: Int) {
            let glyph = TerminalCell(character, room: room)
            expectEqual([glyph.base] + glyph.marks, text.unicodeScalars.map(\.value))
            expectEqual(glyph.columns, columns)
        }
    }
}

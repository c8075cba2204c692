import TestSupport
import Testing

@testable import WinchScreen

@Suite struct `Text from outside` {
    private func shown(_ text: String, isASCII: Bool = false) -> String {
        String(SafeText(text, isASCII: isASCII).glyphs.map(\.character))
    }

    @Test(arguments: [
        ("plain.txt", 9), ("résumé", 6), ("re\u{301}sume\u{301}", 6), ("東京", 4), ("ﾊﾝｶｸ", 4), ("ＦＵＬＬ", 8), ("한국어", 6),
        ("\u{1112}\u{1161}\u{11AB}", 2), ("שלום", 4), ("👍", 2), ("👍🏽", 2), ("❤\u{FE0F}", 1), ("👨\u{200D}👩\u{200D}👧", 6),
        ("🇩🇪", 2), ("1\u{FE0F}\u{20E3}", 1), ("क्षि", 3), ("", 0), ("\u{3000}", 2), ("a\u{A0}b", 3), ("〆", 2), ("🀄", 2),
        ("ไทย", 3), ("…·█▏", 4),
    ])
    func `has a known width`(text: String, columns: Int) {
        expectEqual(SafeText(text).columns, columns)
    }

    @Test(arguments: [
        ("\u{1B}[31mred", "�[31mred"), ("bell\u{7}", "bell�"), ("a\r\nb", "a��b"), ("\u{9B}2J", "�2J"), ("\u{7F}", "�"),
        ("\u{0}", "�"), ("exe.\u{202E}gpj", "exe.�gpj"), ("a\u{200B}b", "a�b"), ("\u{FEFF}a", "�a"), ("\u{301}a", "�a"),
        ("\u{2028}", "�"), ("\u{AD}", "�"), ("a\u{2066}b\u{2069}", "a�b�"), ("\u{3164}", "�"), (" \u{301}", " �"),
        ("\u{E0041}", "�"), ("\u{10FFFF}", "�"), ("\u{200D}", "�"), ("\u{1161}", "�"),
    ])
    func `shows control and invisible characters as visible signs`(text: String, expected: String) {
        expectEqual(shown(text), expected)
    }

    @Test(arguments: [
        ("👨\u{200D}👩\u{200D}👧", "👨👩👧"), ("👍🏽", "👍"), ("🏽", "🏽"), ("🇩🇪", "DE"), ("❤\u{FE0F}", "❤"),
        ("🏴\u{E0067}\u{E0062}\u{E007F}", "🏴"),
    ])
    func `splits emoji whose width differs between terminals`(text: String, expected: String) {
        expectEqual(shown(text), expected)
    }

    @Test func `keeps at most three marks on a letter and a few thousand characters, since no line is longer`() {
        expectEqual(SafeText(String(repeating: "x", count: 1_000_000)).columns, 4096)
        let tower = "e" + String(repeating: "\u{301}", count: 40) + "x"
        expectEqual(SafeText(tower).columns, 2)
        expectEqual(SafeText(tower).glyphs.first?.character.unicodeScalars.count, 4)
    }

    @Test(arguments: [
        ("naïve 東京.txt", "naive ??.txt"), ("re\u{301}s", "res"), ("👍!", "?!"), ("\u{1B}x", "?x"), ("🇩🇪", "DE"),
        ("Übung – „Łódź“", "Ubung - \"Lodz\""), ("straße", "strase"), ("ＷＩＤＥ！", "WIDE!"), ("👩\u{200D}👧", "??"),
        ("Ħħĸſ", "Hhks"),
    ])
    func `is reduced to the nearest ASCII letters where necessary`(text: String, expected: String) {
        expectEqual(shown(text, isASCII: true), expected)
        expectEqual(SafeText(text, isASCII: true).columns, expected.count)
    }

    @Test func `keeps the letters beyond ASCII that the terminal has`() {
        let text = SafeText("naïve žluť 東", isASCII: true, letters: ["ï", "ž", "東"])
        expectEqual(String(text.glyphs.map(\.character)), "naïve žlut ?")
    }

    @Test func `makes every scalar of Unicode harmless`() {
        for value in [0...0x323AF, 0xE0000...0xE0FFF, 0x10FFF0...0x10FFFF].joined()
            as FlattenSequence<[ClosedRange<UInt32>]>
        {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let text = SafeText(String(Character(scalar)))
            let isClean = text.glyphs.allSatisfy { glyph in
                glyph.character.unicodeScalars.allSatisfy { !Self.harmful.contains($0.properties.generalCategory) }
                    && (1...2).contains(glyph.columns)
            }
            if !isClean || !(1...2).contains(text.columns) { Issue.record("U+\(String(value, radix: 16))") }
        }
    }

    private static let harmful: Set<Unicode.GeneralCategory> = [
        .control, .format, .surrogate, .lineSeparator, .paragraphSeparator, .unassigned,
    ]
}

@Suite struct `A text too long for its field` {
    private func fitted(_ text: String, _ width: Int, _ cut: SafeText.Cut, isASCII: Bool = false) -> String {
        String(SafeText(text, isASCII: isASCII).fitted(width, cut: cut).glyphs.map(\.character))
    }

    @Test(arguments: [
        ("very-long-name-of-something.tar.gz", 20, "very-long-na….tar.gz"), ("very-long-name.iso", 12, "very-lo….iso"),
        ("short.iso", 9, "short.iso"), ("no-extension-at-all", 8, "no-exte…"),
        ("a.sentence-with-a-point", 10, "a.sentenc…"),
        ("東京の地図データ.zip", 12, "東京の….zip"), ("name.torrent", 8, "name.to…"), (".hidden-file-long", 8, ".hidden…"),
        ("x.tar.gz", 7, "x.tar.…"), ("abc", 1, "…"), ("abc", 0, ""), ("ends-with-a-point.", 8, "ends-wi…"),
    ])
    func `keeps a file's extension where a third of the field is left for its name`(
        text: String, width: Int, expected: String
    ) {
        expectEqual(fitted(text, width, .beforeExtension), expected)
    }

    @Test(
        arguments: [
            ("connecting", 6, .end, "conne…"), ("東京", 3, .end, "東…"), ("東京", 2, .end, "…"), ("done", 4, .end, "done"),
            ("/data/isos/", 6, .start, "…isos/"), ("東京/", 4, .start, "…京/"), ("isos/", 5, .start, "isos/"),
            ("isos/", 0, .start, ""),
        ] as [(String, Int, SafeText.Cut, String)])
    func `has an ellipsis at its end, or at its start if its end tells more`(
        text: String, width: Int, cut: SafeText.Cut, expected: String
    ) {
        expectEqual(fitted(text, width, cut), expected)
        expect(fitted(text, width, cut, isASCII: true).allSatisfy { $0.isASCII })
    }

    @Test func `is never wider than its field`() {
        let names = [
            "東京の地図データ.tar.gz", "👨\u{200D}👩\u{200D}👧 x.jpg", "e\u{301}e\u{301}e\u{301}.txt", "....", ".tar.gz", "a.b",
        ]
        for name in names {
            for width in 0...24 {
                for cut in [SafeText.Cut.end, .beforeExtension, .start] {
                    expectAtMost(SafeText(name).fitted(width, cut: cut).columns, width)
                }
            }
        }
    }
}

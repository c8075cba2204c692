import TestSupport
import Testing

@testable import WinchScreen

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

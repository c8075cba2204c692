import TestSupport
import Testing
import WinchModel

@testable import WinchListing

@Suite struct `A glob of a folder's entries` {
    private static func path(_ text: String) -> (bytes: [UInt8], isFolder: Bool) {
        (Array((text.last == "/" ? text.dropLast() : text[...]).utf8), text.last == "/")
    }

    /// A path with a slash at its end is a folder.
    private static let rows: [(pattern: String, matched: [String], unmatched: [String])] = [
        ("a", ["a", "x/a", "a/"], ["b", "ab", "a/b", "A"]),
        ("*.iso", ["a.iso", ".iso", "x/y/a.iso", "a.iso/"], ["a.iso.txt", "a.iso/b", "aiso"]),
        ("a*b*c", ["abc", "aXbXc", "abcbc"], ["ab", "acb", "abcd"]),
        ("?", ["a", "x/b"], ["ab", "é"]),
        ("??", ["é"], ["a"]),
        ("[a-cx]", ["a", "c", "x"], ["d", "-", "ab"]),
        ("[!a-c]", ["d", "-"], ["a", "b"]),
        ("[^a]", ["b"], ["a"]),
        ("[]a]", ["]", "a"], ["b"]),
        ("[a-]", ["a", "-"], ["b"]),
        ("[c-a]", [], ["a", "b", "c"]),
        ("[\\]]", ["]"], ["\\", "a"]),
        ("[a", ["[a"], ["a"]),
        ("\\*", ["*"], ["a", "\\*"]),
        ("a\\", ["a\\"], ["a"]),
        ("/a", ["a", "a/"], ["x/a"]),
        ("/a/*", ["a/b", "a/b/"], ["a", "a/b/c", "x/a/b"]),
        ("/*", ["a", "a/"], ["a/b"]),
        ("a/b", ["a/b", "x/a/b"], ["b", "xa/b", "a/b/c", "a/x/b"]),
        ("a/*/c", ["a/b/c", "x/a/b/c"], ["a/c", "a/b/b/c"]),
        ("a?b", ["a-b"], ["a/b"]),
        ("a[!x]b", ["a-b"], ["a/b"]),
        ("/a/**", ["a/b", "a/b/c"], ["a", "x/a/b"]),
        ("/**.c", ["a.c", "x/y/a.c"], ["a.h"]),
        ("a/**/b", ["a/x/b", "a/x/y/b", "z/a/x/b"], ["b", "a/x"]),
        ("**/b", ["b", "a/b", "x/a/b"], ["ab", "b/c"]),
        ("**", ["a", "a/b", "a/"], []),
        ("a/", ["a/", "x/a/"], ["a", "a/b"]),
        ("/a/b/", ["a/b/"], ["a/b", "x/a/b/"]),
        ("*/", ["a/", "a/b/"], ["a"]),
        ("*", ["a", "a/b"], ["a/"]),
        ("/", [], ["a", "a/"]),
    ]

    @Test func `matches its paths and no others`() {
        for row in Self.rows {
            let matcher = GlobMatcher(GlobRule(includes: false, pattern: Array(row.pattern.utf8)))
            for (texts, isMatched) in [(row.matched, true), (row.unmatched, false)] {
                for text in texts {
                    let path = Self.path(text)
                    let result = matcher.matches(path.bytes, isFolder: path.isFolder)
                    expectEqual(result, isMatched, "\(row.pattern) and \(text)")
                }
            }
        }
    }

    @Test(
        arguments: [
            (["-*", "+*.iso"], ["a.iso", "x/a.iso", "x/"], ["a.txt"]),
            (["+*.iso", "-*"], ["x/"], ["a.iso"]),
            (["-a*", "+ab", "-*b"], ["c"], ["a", "ab"]),
            (["-old/"], ["old", "a"], ["old/", "x/old/"]),
            ([], ["a", "a/"], []),
        ] as [([String], [String], [String])])
    func `is overruled by a later one`(rules: [String], taken: [String], left: [String]) {
        let matchers = rules.map {
            GlobMatcher(GlobRule(includes: $0.first == "+", pattern: Array($0.dropFirst().utf8)))
        }
        for (texts, isTaken) in [(taken, true), (left, false)] {
            for text in texts {
                let path = Self.path(text)
                expectEqual(matchers.take(path.bytes, isFolder: path.isFolder), isTaken, "\(text)")
            }
        }
    }
}

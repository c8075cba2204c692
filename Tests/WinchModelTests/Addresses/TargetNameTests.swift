import TestSupport
import Testing

@testable import WinchModel

@Suite struct `A target file name` {
    @Test(arguments: [
        ("plain.txt", "plain.txt"), ("../../etc/passwd", "passwd"), ("/etc/passwd", "passwd"),
        ("a/b\\c", "c"), ("C:\\x\\y.exe", "y.exe"), ("..\\..\\z", "z"),
        ("-rf", "_rf"), ("--", "_-"), (".bashrc", "_bashrc"), ("~root", "_root"), ("..hidden", "_.hidden"),
        ("tab\tnew\nline", "tabnewline"), ("bell\u{7}esc\u{1B}[31m", "bellesc[31m"), ("nul\u{0}byte", "nulbyte"),
        ("c1\u{9B}31m", "c131m"), ("photo\u{202E}gpj.exe", "photogpj.exe"), ("zero\u{200B}width", "zerowidth"),
        ("\u{2066}isolate\u{2069}", "isolate"), ("line\u{2028}end", "lineend"), ("\u{FEFF}bom", "bom"),
        ("  spaces  ", "spaces"), ("dots...", "dots"), ("inner  blank", "inner  blank"), ("bad\u{FFFD}", "bad"),
        ("日本語.txt", "日本語.txt"), ("👩‍👩‍👧.png", "👩‍👩‍👧.png"), ("CON", "CON"), (" -rf", "_rf"),
        ("\u{200B}-rf", "_rf"), ("a/\u{301}b", "\u{301}b"),
    ])
    func `is sanitized`(given: String, expected: String) {
        expectEqual(TargetName(sanitizing: given)?.text.unicodeScalars.elementsEqual(expected.unicodeScalars), true)
    }

    @Test(arguments: ["", "/", ".", "..", "...", " ", "\u{0}", "a/", "x/..", "\u{202E}", "\\"])
    func `is not created from text without a usable character`(given: String) {
        expectNil(TargetName(sanitizing: given))
    }

    @Test(arguments: [
        ("http://a/x.tar.gz", "x.tar.gz"), ("http://a", "index.html"), ("http://a/", "index.html"),
        ("http://a/dir/?q=/x", "index.html"), ("http://a/f?x=1#y", "f"), ("http://a/b%20c%2Bd", "b c+d"),
        ("http://a/%2e%2e%2f%2e%2e%2fetc%2fpasswd", "passwd"), ("http://a/%2e%2e", "index.html"),
        ("http://a/%E6%97%A5.txt", "日.txt"), ("http://a/%FF%FE.bin", "%FF%FE.bin"), ("http://a/100%", "100%"),
        // The codes stay where they are no UTF-8: two names stay two.
        ("http://a/%C4%E3.zip", "%C4%E3.zip"), ("http://a/%BA%2F%C3", "%BA%2F%C3"),
        ("http://a/%zz", "%zz"), ("http://a/%00x", "x"), ("http://a/%2Frf", "rf"), ("http://a/-x", "_x"),
        ("ftp://a/x.gz;type=i", "x.gz"), ("ftps://a/x;TYPE=A", "x"), ("http://a/x;type=i", "x;type=i"),
        ("ftp://a/x%3Btype=i", "x;type=i"),
    ])
    func `is derived from the URL`(url: String, expected: String) throws {
        let name = TargetName(url: try TransferURL(url)).text
        expectEqual(name, expected)
        expectEqual(TransferSpec(urls: [try TransferURL(url)]).expectedName, name)
    }

    @Test(arguments: [
        (String(repeating: "a", count: 300) + ".tar.gz", 244, ".tar.gz"),
        (String(repeating: "é", count: 150) + ".txt", 244, ".txt"),
        (String(repeating: "日", count: 100), 243, "日"),
        (String(repeating: "👩‍👩‍👧", count: 20) + ".png", 238, "👧.png"),
        ("a." + String(repeating: "x", count: 300), 244, "xxx"),
        ("a" + String(repeating: "\u{301}", count: 200) + ".txt", 243, "\u{301}.txt"),
        (String(repeating: "a", count: 244), 244, "a"), (String(repeating: "a", count: 245), 244, "a"),
    ])
    func `is shortened at a character boundary and keeps its extension`(given: String, bytes: Int, end: String) {
        let name = TargetName(sanitizing: given)?.text ?? ""
        expectEqual(name.utf8.count, bytes)
        expectEqual(Array(name.utf8.suffix(end.utf8.count)), Array(end.utf8))
        expect(!name.contains("\u{FFFD}"))
    }

    @Test(arguments: [
        ("name.ext", 0, "name.ext"), ("name.ext", 1, "name.1.ext"), ("name", 2, "name.2"),
        ("archive.tar.gz", 3, "archive.3.tar.gz"), ("a.b.c", 1, "a.b.1.c"), (".hidden", 1, ".hidden.1"),
        ("x.TAR.xz", 12, "x.12.TAR.xz"), (".tar.gz", 1, ".tar.1.gz"), ("name.", 1, "name.1."),
    ])
    func `is numbered before the extension`(name: String, number: Int, expected: String) {
        expectEqual(TargetName.numbered(name, number), expected)
    }

    private static let seeds = (0..<4).map { _ in UInt64.random(in: 0...1 << 48) }

    @Test(arguments: seeds)
    func `is safe for any input`(first: UInt64) {
        let pieces: [Unicode.Scalar] = [
            "/", "\\", ".", "-", "~", " ", "\u{0}", "\u{301}", "\u{202E}", "a", "日", "\u{1F469}",
        ]
        for seed in first..<first + 200 {
            var random = SplitMix64(seed: seed)
            var given = String.UnicodeScalarView()
            let most = seed.isMultiple(of: 5) ? 400 : 12
            for _ in 0..<Int.random(in: 0...most, using: &random) {
                given.append(pieces.randomElement(using: &random) ?? "a")
            }
            guard let name = TargetName(sanitizing: String(given))?.text else { continue }
            let isSafe =
                !name.isEmpty && name.utf8.count <= 244 && !name.utf8.contains(UInt8(ascii: "/"))
                && !name.utf8.contains(0) && !"-.~ ".unicodeScalars.contains(name.unicodeScalars.first ?? ".")
            if !isSafe {
                Issue.record("seed \(seed): \(name.debugDescription)")
                return
            }
        }
    }
}

@Suite struct `A path below the target folder` {
    @Test(arguments: [
        ("a", "a", 0), ("a/b", "a/b", 1), ("./a", "a", 0), ("a//b", "a/b", 1), ("a/./b", "a/b", 1), ("..a", "..a", 0),
        ("a..b/c", "a..b/c", 1), ("-rf", "-rf", 0), (".hidden/x", ".hidden/x", 1), ("日本/語", "日本/語", 1),
    ])
    func `keeps its folders`(given: String, text: String, folders: Int) throws {
        let path = try TargetPath(given)
        expectEqual(path.text, text)
        expectEqual(path.folders.count, folders)
        expectEqual(path.name, text.split(separator: "/").last.map(String.init))
    }

    @Test(arguments: [
        ("", TargetPath.Fault.empty), ("a/", .empty), (".", .empty), ("a/.", .empty), ("/a", .absolute),
        ("//a", .absolute),
        ("..", .leavesFolder), ("../a", .leavesFolder), ("a/../b", .leavesFolder), ("a/..", .leavesFolder),
        ("a\nb", .controlCharacter), ("a\u{0}", .controlCharacter), ("a\u{9B}b", .controlCharacter),
        (String(repeating: "x", count: 245), .tooLong), (String(repeating: "x", count: 256) + "/a", .tooLong),
        // One Character each, but bytes to the file system.
        ("../\u{301}a", .leavesFolder), ("/\u{301}a", .absolute), ("a/../\u{301}b", .leavesFolder),
        ("a/\u{301}/", .empty),
    ])
    func `never leaves the target folder`(given: String, fault: TargetPath.Fault) {
        #expect(throws: fault) { try TargetPath(given) }
    }

    @Test func `fits a file system with shorter names, with room for a part's name`() {
        let name = String(repeating: "ä", count: 100) + ".tar.gz"
        let fitting = TargetName.fitting(name, longest: 143) { false }
        expect(fitting.utf8.count <= 132 && fitting.utf8.count > 128)
        expect(fitting.hasSuffix("ä.tar.gz"))
        expectEqual(TargetName.fitting(name, longest: 255) { false }, name)
    }

    @Test func `has no character that the file system refuses, which is asked only where there is one`() {
        expectEqual(TargetName.fitting("a:b?c|d.iso", longest: 255) { true }, "a_b_c_d.iso")
        expectEqual(TargetName.fitting("a:b?c|d.iso", longest: 255) { false }, "a:b?c|d.iso")
        var isAsked = false
        let plain = TargetName.fitting("plain ä.iso", longest: 255) {
            isAsked = true
            return true
        }
        expectEqual(plain, "plain ä.iso")
        expect(!isAsked)
    }
}

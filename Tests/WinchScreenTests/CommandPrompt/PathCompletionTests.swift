import TestSupport
import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `Tab in a path after @` {
    /// A dashboard after `text` and Tab were typed, and the actions of Tab.
    private func tab(_ text: String, opening keys: [Key] = ["a"]) -> (sitting: Sitting, asked: [String]) {
        var sitting = Sitting(Scenes.busy)
        for key in keys { sitting.press(key) }
        sitting.type(text)
        let asked = sitting.press(.tab)
        return (sitting, asked)
    }

    private func answer(_ sitting: inout Sitting, _ typed: String, _ names: String..., common: String? = nil) {
        sitting.handle(.paths(PathListing(typed: typed, names: names, common: common ?? names.first ?? "")))
    }

    @Test(arguments: [
        ("@mo", "mo"), ("  @mo", "mo"), ("@", ""), ("@~/li", "~/li"), ("@/etc/ho", "/etc/ho"),
        ("@two words", "two words"),
    ])
    func `requests the files that start with the path`(line: String, path: String) {
        expectEqual(tab(line).asked, ["list \(path)"])
        expectEqual(tab(":add \(line)".replacing(":add ", with: "add "), opening: [":"]).asked, ["list \(path)"])
    }

    @Test(arguments: ["", "http://h/x", "x@y", "more.txt"])
    func `requests nothing where no file is expected`(line: String) {
        expectEqual(tab(line).asked, [])
        expectEqual(tab("theme @" + line, opening: [":"]).asked, [])
    }

    @Test func `inserts the only file, and continues in a folder`() {
        var (sitting, _) = tab("@mo")
        answer(&sitting, "mo", "more/")
        expect(sitting.footer.hasSuffix("@more/"))
        expectEqual(sitting.press(.tab), ["list more/"])
        answer(&sitting, "more/", "urls.txt")
        expect(sitting.footer.hasSuffix("@more/urls.txt"))
        expectEqual(sitting.press(.enter), ["add @more/urls.txt"])
    }

    @Test func `inserts the common prefix, lists the files, then selects each in turn`() {
        var (sitting, _) = tab("@d/m")
        answer(&sitting, "d/m", "more-1.txt", "more-2.txt", common: "more-")
        expect(sitting.footer.hasSuffix("@d/more-"))
        expect(sitting.canvas.text.contains("more-1.txt") && sitting.canvas.text.contains("more-2.txt"))
        for expected in ["1", "2", "1"] {
            expectEqual(sitting.press(.tab), [])
            expect(sitting.footer.hasSuffix("@d/more-\(expected).txt"))
        }
        sitting.press(.backTab)
        expect(sitting.footer.hasSuffix("@d/more-2.txt"))
        sitting.press(.backspace)
        expect(!sitting.canvas.text.contains("more-1.txt"), "the list goes with the next key")
    }

    @Test func `ignores an answer for a line that has changed`() {
        var (sitting, _) = tab("@mo")
        sitting.type("x")
        answer(&sitting, "mo", "more.txt")
        expect(sitting.footer.hasSuffix("@mox"))
        sitting.press(.escape)
        answer(&sitting, "mo", "more.txt")
        expectEqual(sitting.dashboard.mode, .normal)
        sitting.press("a")
        sitting.type("@mo")
        answer(&sitting, "mo", "more.txt")
        expect(sitting.footer.hasSuffix("@mo"), "this line has asked for nothing")
    }

    @Test func `repeats the request while there is no answer, and shows why there is nothing to complete`() {
        var (sitting, _) = tab("@mo")
        expectEqual(sitting.press(.tab), ["list mo"])
        answer(&sitting, "mo")
        expect(sitting.canvas.text.contains("No file begins with mo"))
        sitting.press(.tab)
        expect(!sitting.canvas.text.contains("No file begins"))
        sitting.handle(.paths(PathListing(typed: "mo", fault: "d/: Permission denied")))
        expect(sitting.canvas.text.contains("d/: Permission denied"))
        expect(sitting.footer.hasSuffix("@mo"))
    }

    @Test func `is announced for screen readers`() {
        var (sitting, _) = tab("@m")
        var speech = Speech()
        _ = speech.lines(for: sitting.dashboard, board: sitting.board, update: nil, isKey: true, at: sitting.now)
        answer(&sitting, "m", "m1", "m2", common: "m")
        let lines = speech.lines(
            for: sitting.dashboard, board: sitting.board, update: nil, isKey: false, at: sitting.now)
        expect(lines.contains("2 files: m1, m2"))
    }
}

@Suite struct `An escaped name` {
    @Test(arguments: [
        ("more.txt", "more.txt"), ("a\nb", "a\\x0Ab"), ("\u{1B}[31mred", "\\x1B[31mred"), ("ü–日", "ü–日"),
        ("\u{202E}txt.exe", "\\xE2\\x80\\xAEtxt.exe"), ("\u{7F}\u{85}", "\\x7F\\xC2\\x85"),
        (String(system: [0x6C, 0xE9]), "l\\xE9"),
    ])
    func `is displayed, edited and converted back`(name: String, shown: String) {
        expectEqual(EscapedName.escaping(name), shown)
        expectEqual(EscapedName.unescaping(shown), name)
    }

    @Test(arguments: ["\\x", "\\x0", "\\xZZ", "\\x+1", "C:\\temp", "\\"])
    func `is the text itself if it contains no escapes`(text: String) {
        expectEqual(EscapedName.unescaping(text), text)
    }
}

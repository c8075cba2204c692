import TestSupport
import Testing
import WinchModel

@Suite struct HookCommandTests {
    @Test(arguments: [
        ("notify-send done", ["notify-send", "done"]), ("  a \t b ", ["a", "b"]),
        ("a 'b  c' \"d e\"f", ["a", "b  c", "d ef"]), (#"a \"b\ c '\' "\x\"""#, ["a", "\"b c", #"\"#, #"\x""#]),
        ("a '' \"\"", ["a", "", ""]), ("a $HOME *.iso; rm `x`", ["a", "$HOME", "*.iso;", "rm", "`x`"]),
        ("läuft 'ä ö'", ["läuft", "ä ö"]),
    ])
    func aTextIsSplitAtItsBlanksAndNothingIsReplaced(text: String, words: [String]) throws {
        let command = try HookCommand(reading: text)
        expectEqual(command.arguments, words)
        try expectEqual(HookCommand(reading: command.text), command)
    }

    @Test(arguments: [
        "", "  ", "''", "'' a", "a 'b", "a \"b", "a \\", "a\nb", "a\u{1b}b", "a\0b",
        String(repeating: "a", count: 4097),
    ])
    func whatIsNoCommandIsRefused(text: String) {
        #expect(throws: InvalidValue.self) { try HookCommand(reading: text) }
    }

    @Test func aProgramWithASlashIsMadeAbsolute() throws {
        let places = Places(homes: HomeFolders { $0 == nil ? "/home/me" : nil }, workingFolder: WorkingFolder("/work"))
        try expectEqual(places.hook("./tell x/y").arguments, ["/work/tell", "x/y"])
        try expectEqual(places.hook("~/bin/tell '~'").arguments, ["/home/me/bin/tell", "~"])
        try expectEqual(places.hook("tell").arguments, ["tell"])
        #expect(throws: InvalidValue.self) { try places.hook("~nobody/tell") }
    }
}

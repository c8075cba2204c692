import TestSupport
import Testing

@testable import TerminalEmulator

/// The emulator that checks the monkey's sessions, with output that is known to be good or bad.
@Suite struct `The strict terminal emulator` {
    private func screen(
        _ output: String = "", bytes: [UInt8] = [], isUTF8: Bool = true,
        allowedOutput: TerminalScreen.AllowedOutput = .screen, mayCall: Bool = false
    ) -> TerminalScreen {
        var screen = TerminalScreen(
            WindowSize(columns: 10, rows: 4), isUTF8: isUTF8, allowedOutput: allowedOutput, mayCall: mayCall,
            width: CharacterWidth.columns)
        screen.feed(Array(output.utf8) + bytes)
        return screen
    }

    @Test(arguments: [
        "\u{1B}[6n", "\u{1B}[c", "\u{1B}]0;owned\u{07}", "\u{1B}]11;?\u{07}", "\u{1B}]9;anything\u{1B}\\", "\u{1B}c",
        "\u{1B}#8", "\u{07}", "\u{9B}2J", "\u{85}", "\u{202E}abc", "\u{2066}", "\u{FEFF}", "\u{0}", "\u{7F}",
        "\u{1B}[?9h", "\u{1B}[11;1H", "\u{1B}[1;11H", "\u{1B}[5;6r", "\u{1B}[3", "\u{1B}[3\u{1B}[m",
        "\u{1B}]0;winch\u{1B}[m", "\u{1B}P1$r\u{1B}\\", "\u{1B}[99m", "\u{1B}[23;0t", "\u{1B}]52;c;not base64!\u{1B}\\",
        "\u{1B}[1;2;x", "\u{301}a",
    ])
    func `reports sequences that no program should write`(output: String) {
        let screen = screen(output)
        expect(!screen.faults.isEmpty || screen.leftovers.contains("an unfinished sequence"))
    }

    @Test(
        arguments: [
            [0xC3, 0x28], [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0x80],
            [0xE2, 0x82, 0x1B],
        ] as [[UInt8]])
    func `reports invalid UTF-8`(bytes: [UInt8]) {
        expect(!screen(bytes: bytes).faults.isEmpty)
    }

    @Test(
        arguments: [
            ("plain \u{1B}[1m", false, .screen, false, true), ("é", false, .screen, false, false),
            ("done\r\n", true, .lines(copies: false), false, true),
            ("\u{1B}[m", true, .lines(copies: true), false, false),
            ("\u{18}", true, .lines(copies: true), false, false),
            ("\u{1B}]52;c;YQ==\u{1B}\\", true, .lines(copies: true), false, true),
            ("\u{1B}]52;c;YQ==\u{1B}\\", true, .lines(copies: false), false, false),
            ("\u{07}", true, .screen, false, false), ("\u{07}", true, .screen, true, true),
            ("\u{1B}]9;winch: 3 finished\u{1B}\\", true, .screen, false, false),
            ("\u{1B}]9;winch: 3 finished\u{1B}\\", true, .screen, true, true),
            ("\u{1B}]777;notify;winch;winch: 1 finished, 2 failed\u{1B}\\", true, .screen, true, true),
        ] as [(String, Bool, TerminalScreen.AllowedOutput, Bool, Bool)])
    func `accepts what locale, output and notifications allow, and no more`(
        output: String, isUTF8: Bool, allowed: TerminalScreen.AllowedOutput, mayCall: Bool, isAccepted: Bool
    ) {
        let screen = screen(output, isUTF8: isUTF8, allowedOutput: allowed, mayCall: mayCall)
        expectEqual(screen.faults.isEmpty, isAccepted)
    }

    @Test(arguments: [
        ("\u{1B}[?1049h", "alternate screen"), ("\u{1B}7\u{1B}[?47h", "alternate screen"),
        ("\u{1B}[?25l", "hidden cursor"), ("\u{1B}[?1000h", "mouse"), ("\u{1B}[?1004h", "focus"),
        ("\u{1B}[?2004h", "bracketed paste"), ("\u{1B}[?7l", "no autowrap"), ("\u{1B}[?2026h", "synchronized output"),
        ("\u{1B}[?1h", "cursor keys for programs"), ("\u{1B}=", "keypad for programs"), ("\u{1B}[4h", "insert mode"),
        ("\u{0E}", "line-drawing characters"), ("\u{1B}(0", "line-drawing characters"),
        ("\u{1B}[22;0t", "1 titles kept"), ("\u{1B}[2;3r", "margins 1..<3"), ("\u{1B}[?1c", "cursor shape 1"),
        ("\u{1B}]0;winch", "an unfinished sequence"),
    ])
    func `reports each mode that the program has left changed`(output: String, leftover: String) {
        expectEqual(screen(output).leftovers, [leftover])
    }

    @Test func `reports colours that are still set`() {
        expectEqual(screen("\u{1B}[31m").leftovers.count, 1)
        expectEqual(screen("\u{1B}[31m\u{1B}[39m").leftovers, [])
    }

    @Test func `reports output beyond the edge while the dashboard is open`() {
        expectEqual(screen("abcdefghijk").faults, [])
        expect(!screen("\u{1B}[?2004habcdefghijk").faults.isEmpty)
        expect(!screen("\u{1B}[?2004h\u{1B}[4;1H\n").faults.isEmpty)
    }

    @Test func `accepts positions of the previous size until the program knows the new one`() {
        var screen = screen()
        screen.resize(to: WindowSize(columns: 5, rows: 2))
        screen.feed("\u{1B}[4;10Hx".utf8)
        expectEqual(screen.faults, [])
        screen.knowsSize()
        screen.feed("\u{1B}[4;10Hx".utf8)
        // One fault for the column, one for the row.
        expectEqual(screen.faults.count, 2)
    }

    @Test(arguments: [
        ("\u{1B}[31mx", "x", 1), ("\u{1B}[31m ", " ", 0), ("\u{1B}[41m ", " ", 1), ("\u{1B}[4m ", " ", 1),
        ("x ", "x", 0), ("xy", "x", 1), ("東", "x", 2),
    ])
    func `compares only what is visible`(left: String, right: String, places: Int) {
        expectEqual(screen(left).grid.differences(from: screen(right).grid).count, places)
    }

    @Test func `accepts CAN only to end a sequence, not a character, that was cut`() {
        expectEqual(screen("\u{18}\u{1B}[m").faults, [])
        expectEqual(screen("\u{1B}[3\u{18}\u{1B}[m").faults, [])
        expectEqual(screen(bytes: [0xC3, 0x18]).faults.count, 1)
    }

    @Test func `accepts one unfinished sequence after a kill`() {
        var screen = screen("\u{1B}[3")
        screen.writerWasKilled()
        screen.feed("\u{1B}[m".utf8)
        expectEqual(screen.faults, [])
        expectEqual(screen.leftovers, [])
        screen.feed("\u{1B}[3\u{1B}[m".utf8)
        expectEqual(screen.faults.count, 1)
    }
}

import TestSupport
import Testing
import WinchModel

@testable import TerminalEmulator
@testable import WinchScreen
@testable import WinchTerminal

extension `The terminal` {
    @Suite struct `A curses driver` {
        init() { useUTF8() }

        /// The driver, and a virtual terminal of the given depth that receives its output.
        private struct Stage {
            let driver: CursesDriver
            var terminal: TerminalScreen
            let depth: ColorDepth

            init(columns: Int = 40, rows: Int = 10, depth: ColorDepth = .indexed256) throws {
                let size = ScreenSize(columns: columns, rows: rows)
                driver = try CursesDriver(term: "xterm-256color", size: size, depth: depth)
                terminal = TerminalScreen(columns: columns, rows: rows)
                self.depth = depth
            }

            @discardableResult
            mutating func show(_ canvas: Canvas) -> Int {
                let bytes = driver.draw(canvas)
                terminal.feed(bytes)
                expectEqual(terminal.differences(from: canvas, depth: depth), [])
                expectEqual(terminal.faults, [])
                return bytes.count
            }
        }

        private static func canvas(
            _ lines: [(Int, String, Style)], columns: Int = 40, rows: Int = 10
        ) -> Canvas {
            var canvas = Canvas(columns: columns, rows: rows)
            for (row, text, style) in lines {
                for (column, character) in text.enumerated() { canvas[column, row] = Cell(character, style) }
            }
            return canvas
        }

        @Test func `shows a canvas cell by cell`() throws {
            var stage = try Stage()
            let loud = Style(
                foreground: .rgb(red: 255, green: 120, blue: 0), background: .ansi(4), isBold: true, isUnderlined: true)
            stage.show(Self.canvas([(0, "Winch", .plain), (3, "loud ▏▎▍▌▋▊▉█", loud), (9, "bottom", .plain)]))
            expect(stage.terminal.line(3).hasPrefix("loud ▏▎▍▌▋▊▉█"))
            expect(stage.terminal.isOnAlternateScreen)
            expect(!stage.terminal.modes.isOn(25))
        }

        @Test(arguments: [(true, "√║▌_▄█~"), (false, "✓‖▏▁▃▇…")])
        func `uses characters of the console's fonts on a Linux console`(isConsole: Bool, expected: String) throws {
            let driver = try CursesDriver(
                term: "xterm-256color", size: ScreenSize(columns: 40, rows: 10), depth: .eight, isConsole: isConsole)
            let bytes = driver.draw(Self.canvas([(1, "✓‖▏▁▃▇…", .plain)]))
            expect(String(decoding: bytes, as: UTF8.self).contains(expected))
        }

        @Test func `writes few bytes for a small change, and none for no change`() throws {
            var stage = try Stage(columns: 120, rows: 40)
            var canvas = Self.canvas(
                (0..<40).map { ($0, "row \($0) of the table with a name in it", .plain) }, columns: 120, rows: 40)
            expectMore(stage.show(canvas), than: 1000)
            expectEqual(stage.show(canvas), 0)
            canvas[8, 20] = Cell("!")
            expectLess(stage.show(canvas), than: 24)
        }

        @Test func `fills the last cell without scrolling`() throws {
            var stage = try Stage()
            let full = String(repeating: "#", count: 40)
            stage.show(Self.canvas((0..<10).map { ($0, full, .plain) }))
        }

        /// Some terminals have no sequence to write the last cell without scrolling; ncurses inserts it there from
        /// the cell before.
        @Test(arguments: ["tmux-256color", "screen", "xterm-256color", "vt100", "vt220"])
        func `never inserts characters in a window of one column`(term: String) throws {
            let driver = try CursesDriver(term: term, size: ScreenSize(columns: 1, rows: 3), depth: .mono)
            for _ in 0..<2 {
                let bytes = driver.draw(
                    Self.canvas([(0, "a", .plain), (1, "b", .plain), (2, "c", .plain)], columns: 1, rows: 3))
                let text = String(decoding: bytes, as: UTF8.self)
                expect(!text.contains("\u{1B}[1@") && !text.contains("\u{1B}[@") && !text.contains("\u{1B}[4h"))
                expect(text.contains("a") && text.contains("b") && text.contains("c"))
                driver.resize(to: ScreenSize(columns: 1, rows: 3))
            }
        }

        @Test func `keeps wide characters and marks in their columns`() throws {
            var stage = try Stage()
            var canvas = Canvas(columns: 40, rows: 10)
            canvas[0, 0] = Cell("中")
            canvas[1, 0] = Cell(nil)
            canvas[2, 0] = Cell("e\u{301}")
            canvas[38, 0] = Cell("文")
            canvas[39, 0] = Cell(nil)
            canvas[10, 1] = Cell("😀")
            canvas[11, 1] = Cell(nil)
            stage.show(canvas)
            canvas[0, 0] = Cell("a")
            canvas[1, 0] = Cell("b")
            stage.show(canvas)
            canvas[1, 0] = Cell("中")
            canvas[2, 0] = Cell(nil)
            stage.show(canvas)
        }

        @Test(arguments: ["\u{1B}", "\u{9B}", "\n", "\u{7F}", "\u{0}", "\u{202E}", "\u{301}", "\r\n", "👩‍👩‍👧"])
        func `writes no control character of a cell`(text: Character) throws {
            var stage = try Stage(columns: 10, rows: 3)
            var canvas = Canvas(columns: 10, rows: 3)
            canvas[2, 1] = Cell(text)
            canvas[4, 1] = Cell("|")
            stage.terminal.feed(stage.driver.draw(canvas))
            expectEqual(Array(stage.terminal.line(1).unicodeScalars)[4], "|")
            expectEqual(stage.terminal.line(0) + stage.terminal.line(2), String(repeating: " ", count: 20))
            expectEqual(stage.terminal.faults, [])
        }

        @Test func `shows the cursor at the canvas's position`() throws {
            var stage = try Stage()
            var canvas = Self.canvas([(9, "add: ", .plain)])
            canvas.cursor = (5, 9)
            stage.show(canvas)
            expect(stage.terminal.modes.isOn(25))
            expect(stage.terminal.cursor == (5, 9))
            canvas.cursor = nil
            stage.show(canvas)
            expect(!stage.terminal.modes.isOn(25))
        }

        @Test(arguments: [ColorDepth.mono, .eight, .sixteen, .indexed256])
        func `shows the result of random changes`(depth: ColorDepth) throws {
            var stage = try Stage(depth: depth)
            var random = Seeded(seed: 7)
            var canvas = Canvas(columns: 40, rows: 10)
            for _ in 0..<60 {
                for _ in 0..<random.below(80) {
                    let style = Style(
                        foreground: .rgb(red: random.byte(), green: random.byte(), blue: random.byte()),
                        background: random.below(3) == 0 ? .ansi(UInt8(random.below(8))) : .standard,
                        isReverse: random.below(9) == 0)
                    let letter = Character(Unicode.Scalar(UInt8(32 + random.below(90))))
                    canvas[random.below(40), random.below(10)] = Cell(letter, style)
                }
                let seen = stage.driver.draw(canvas)
                stage.terminal.feed(seen)
                expectEqual(stage.terminal.faults, [])
                for row in 0..<10 {
                    expectEqual(stage.terminal.line(row), canvas.line(row).map { String($0.text ?? " ") }.joined())
                }
            }
        }

        @Test func `handles more colours than it has pairs`() throws {
            var stage = try Stage(columns: 100, rows: 100)
            for round in 0..<3 {
                var canvas = Canvas(columns: 100, rows: 100)
                for row in 0..<100 {
                    for column in 0..<100 {
                        let background = Color.rgb(red: UInt8(row * 2), green: UInt8(column * 2), blue: UInt8(round))
                        let foreground = Color.ansi(UInt8((column + round) % 16))
                        canvas[column, row] = Cell("x", Style(foreground: foreground, background: background))
                    }
                }
                stage.show(canvas)
            }
        }

        @Test func `follows two hundred random screen sizes`() throws {
            var stage = try Stage()
            var random = Seeded(seed: 200)
            for _ in 0..<200 {
                let size = ScreenSize(columns: 1 + random.below(120), rows: 1 + random.below(50))
                stage.terminal.resize(columns: size.columns, rows: size.rows)
                stage.driver.resize(to: size)
                let lines = (0..<size.rows).map { ($0, "\(size) row \($0)", Style(foreground: .ansi(UInt8($0 % 16)))) }
                stage.show(Self.canvas(lines, columns: size.columns, rows: size.rows))
            }
        }

        @Test func `clips a canvas that is larger than the screen`() throws {
            var stage = try Stage(columns: 10, rows: 3)
            stage.terminal.feed(
                stage.driver.draw(
                    Self.canvas([(0, "abcdefghijklmno", .plain), (5, "x", .plain)], columns: 20, rows: 6)))
            expectEqual(stage.terminal.line(0), "abcdefghij")
            expectEqual(stage.terminal.line(2), "          ")
            expectEqual(stage.terminal.faults, [])
        }

        @Test func `leaves the alternate screen and returns to it`() throws {
            var stage = try Stage()
            let canvas = Self.canvas([(1, "here", .plain)])
            stage.show(canvas)
            stage.terminal.feed(stage.driver.end())
            expect(!stage.terminal.isOnAlternateScreen)
            expect(stage.terminal.modes.isOn(25))
            stage.show(canvas)
            expect(stage.terminal.isOnAlternateScreen)
        }
    }
}

extension `The terminal` {
    @Suite struct `A terminal cell` {
        init() { useUTF8() }

        private static func cell(_ character: Character, room: Int) -> TerminalCell {
            let scalars = Array(character.unicodeScalars)
            return TerminalCell(scalars[0], marks: Array(scalars.dropFirst()), room: room)
        }

        @Test(arguments: [
            "\u{1B}", "\u{9B}", "\n", "\u{7}", "\u{7F}", "\u{0}", "\u{202E}", "\u{2028}", "\u{301}", "\r\n", "中",
            "\u{200D}",
        ])
        func `is a question mark if the character does not fit`(character: Character) {
            expectEqual(Self.cell(character, room: 1), .unknown)
        }

        @Test(arguments: [
            ("a", 1, "a", 1), ("中", 2, "中", 2), ("▊", 1, "▊", 1), ("é", 1, "é", 1), ("a", 2, "a", 1),
            ("\u{1112}\u{1161}\u{11AB}", 2, "\u{1112}\u{1161}\u{11AB}", 2), ("👩‍👩‍👧", 2, "👩", 2), ("⚠\u{FE0F}", 1, "⚠", 1),
            (
                "z\u{300}\u{301}\u{302}\u{303}\u{304}\u{305}", 1, "z\u{300}\u{301}\u{302}\u{303}", 1
            ),
        ])
        func `has a base character and up to four marks`(character: Character, room: Int, text: String, columns: Int) {
            let glyph = Self.cell(character, room: room)
            expectEqual([glyph.base] + glyph.marks, text.unicodeScalars.map(\.value))
            expectEqual(glyph.columns, columns)
        }
    }
}

@Suite struct `On a Linux console` {
    /// The characters beyond ASCII that the console's fonts have: symbols of code page 437.
    private static let page = Set("►♦√║↔¶═─░▒▓┌┐└┘│▌▐▄▀█▲▼↑↓←→•·○")

    private static var drawn: [Character] {
        let signs = UnicodeAndASCIISymbols(isASCII: false)
        let single = [
            signs.replacement, signs.ellipsis, signs.selection, signs.ascending, signs.descending, signs.dot,
            signs.mask, signs.newline, signs.state(.done), signs.state(.failed), signs.state(.cancelled),
            signs.state(.downloading), signs.state(.uploading), signs.state(.paused),
            signs.state(.retrying), signs.state(.working), signs.state(.waiting), signs.full, signs.written,
            signs.track, signs.hatch,
            signs.line.full, signs.line.half, signs.line.gap, signs.line.hatch, signs.tagBar, signs.tabEnds.left,
            signs.tabEnds.right, signs.cut, signs.fullFailed, signs.fullCancelled, signs.box.topLeft,
            signs.box.topRight, signs.box.bottomLeft, signs.box.bottomRight, signs.horizontal, signs.axisCorner,
            signs.vertical,
        ]
        return single + signs.comet + signs.lineComet + (1...8).map(signs.level) + (1...7).map(signs.partial)
            + [.up, .down, .left, .right].flatMap { (key: Key) in Array(key.name(isASCII: false)) }
    }

    @Test func `every character of the screen is replaced by one in the console's fonts`() {
        for character in Self.drawn.flatMap(\.unicodeScalars) {
            let fallback = ConsoleFallback.of(character)
            expect(fallback.isASCII || Self.page.contains(Character(fallback)), "\(character)")
        }
    }

    @Test(arguments: [("linux", true), ("linux-16color", true), ("xterm", false), ("linuxy", false), ("", false)])
    func `replacements are made, but on no other terminal`(term: String, isNeeded: Bool) {
        expectEqual(ConsoleFallback.isNeeded(term: term), isNeeded)
    }

    @Test func `letters are not replaced`() {
        for character in "aé東日".unicodeScalars { expectEqual(ConsoleFallback.of(character), character) }
    }
}

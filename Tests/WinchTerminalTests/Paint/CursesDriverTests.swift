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

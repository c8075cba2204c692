import Glibc
import Synchronization
import TestSupport
import Testing
import WinchModel

@testable import TerminalEmulator
@testable import WinchScreen
@testable import WinchTerminal

extension `The terminal` {
    @Suite struct `A terminal session` {
        private let pty: PseudoTerminal

        init() throws {
            useUTF8()
            pty = try PseudoTerminal(columns: 60, rows: 12)
        }

        private func session(_ term: String = "xterm-256color", colorTerm: String = "") throws -> TerminalControl {
            try TerminalControl(
                output: pty.slave, traits: TerminalEnvironment(term: term, colorTerm: colorTerm),
                holdsStandardError: false)
        }

        /// All that was written to the terminal and has not been read.
        private func written() -> String {
            var bytes: [UInt8] = []
            while case let more = pty.read(within: 100), !more.isEmpty { bytes += more }
            return String(decoding: bytes, as: UTF8.self)
        }

        private static var colorful: Canvas {
            var canvas = Canvas(columns: 60, rows: 12)
            for column in 0..<60 {
                let shade = UInt8(column * 4)
                let style = Style(
                    foreground: .rgb(red: shade, green: 255 - shade, blue: 40), background: .ansi(UInt8(column % 16)))
                canvas[column, 5] = Cell("█", style)
            }
            return canvas
        }

        @Test func `takes over the terminal and restores it`() throws {
            let session = try session()
            expect(pty.isCooked)
            expectEqual(session.size, ScreenSize(columns: 60, rows: 12))
            session.enter()
            expect(!pty.isCooked)
            session.present(Self.colorful)
            var terminal = TerminalScreen(columns: 60, rows: 12)
            terminal.settle(pty)
            expect(terminal.isOnAlternateScreen)
            expect(terminal.modes.isOn(2004))
            session.leave()
            terminal.settle(pty)
            expect(pty.isCooked)
            expectEqual(terminal.modes.leftovers, [])
            expectEqual(terminal.faults, [])
        }

        @Test func `saves the window's title once, however often it takes over the terminal again`() throws {
            let session = try session()
            session.enter()
            session.retake()
            session.retake()
            session.leave()
            session.enter()
            session.leave()
            let text = written()
            expectEqual(text.components(count: "\u{1B}[22;"), 2)
            expectEqual(text.components(count: "\u{1B}[23;"), 2)
        }

        @Test func `enables the mouse and disables it on request and at the end`() throws {
            let session = try session()
            var terminal = TerminalScreen(columns: 60, rows: 12)
            session.enter()
            terminal.settle(pty)
            expect(terminal.modes.isOn(1000) && terminal.modes.isOn(1006))
            session.capturesMouse = false
            terminal.settle(pty)
            expect(!terminal.modes.isOn(1000) && !terminal.modes.isOn(1006))
            session.leave()
            session.enter()
            terminal.settle(pty)
            expect(!terminal.modes.isOn(1000) && !terminal.modes.isOn(1006), "what was turned off stays off after fg")
            session.capturesMouse = true
            session.leave()
            terminal.settle(pty)
            expectEqual(terminal.modes.leftovers, [])
        }

        /// Such a terminal would show it as text.
        @Test(arguments: [("vt100", ColorDepth.mono, ["[?1000", "[?2004"]), ("linux", .eight, [])])
        func `writes nothing that is not in its terminfo entry to a terminal without such modes`(
            term: String, depth: ColorDepth, mouse: [String]
        ) throws {
            let session = try session(term)
            expectEqual(session.colorDepth, depth)
            session.enter()
            session.present(Self.colorful)
            session.leave()
            let text = written()
            for sequence in ["[?1004", "[?2026", "[22;0t", "[23;0t", "[38;", "[48;", "]0;"] + mouse {
                expect(!text.contains("\u{1B}" + sequence), "\(sequence)")
            }
        }

        @Test(arguments: [
            "xterm", "xterm-256color", "screen", "screen-256color", "tmux", "tmux-256color", "linux", "vt100",
            "xterm-kitty",
            "alacritty", "foot", "rxvt-unicode-256color", "konsole-256color", "xterm-direct",
        ])
        func `works on all kinds of terminals`(term: String) throws {
            let session = try session(term)
            session.enter()
            var canvas = Canvas(columns: 60, rows: 12)
            for (column, character) in "loading".enumerated() { canvas[3 + column, 2] = Cell(character, .plain) }
            session.present(canvas)
            var terminal = TerminalScreen(columns: 60, rows: 12)
            terminal.settle(pty)
            expect(terminal.line(2).contains("loading"))
            expectEqual(terminal.faults, [])
            session.leave()
            terminal.settle(pty)
            expect(pty.isCooked)
            // Mode 12 may be set: kitty's default cursor blinks.
            expectEqual(terminal.modes.leftovers, [])
        }

        @Test(arguments: ["xterm-256color", "linux", "vt100"], [false, true])
        func `leaves nothing in the row where the shell goes on`(term: String, isKilled: Bool) throws {
            let session = try session(term)
            session.enter()
            var canvas = Canvas(columns: 60, rows: 12)
            for (column, character) in "? help".enumerated() { canvas[3 + column, 11] = Cell(character, .plain) }
            session.present(canvas)
            var terminal = TerminalScreen(columns: 60, rows: 12)
            terminal.settle(pty)
            expect(terminal.line(11).contains("? help"))
            if isKilled {
                terminal.feed(session.emergencyExit)
            } else {
                session.leave()
                terminal.settle(pty)
            }
            expect(terminal.line(terminal.row).allSatisfy { $0 == " " }, "\(terminal.line(terminal.row))")
            expectEqual(terminal.leftovers, [])
            expectEqual(terminal.faults, [])
        }

        @Test(arguments: [(1, 1), (2, 3), (10, 40), (7, 80), (500, 200)])
        func `draws in windows of any size`(columns: Int, rows: Int) throws {
            let pty = try PseudoTerminal(columns: columns, rows: rows)
            let session = try TerminalControl(
                output: pty.slave, traits: TerminalEnvironment(term: "xterm-256color"), holdsStandardError: false)
            session.enter()
            var canvas = Canvas(columns: columns, rows: rows)
            canvas[columns - 1, rows - 1] = Cell("x", .plain)
            session.present(canvas)
            var terminal = TerminalScreen(columns: columns, rows: rows)
            terminal.settle(pty)
            expect(terminal.line(rows - 1).hasSuffix("x"))
            expectEqual(terminal.faults, [])
            session.leave()
        }

        @Test func `uses synchronized output where the terminal supports it`() throws {
            let session = try session("xterm-256color")
            session.enter()
            session.present(Self.colorful)
            var bytes = ""
            for _ in 0..<600 where !bytes.hasSuffix("\u{1B}[?2026l") {
                bytes += String(decoding: pty.read(within: 100), as: UTF8.self)
            }
            expect(bytes.contains("\u{1B}[?2026h"))
            expect(bytes.hasSuffix("\u{1B}[?2026l"))
            expect(bytes.contains("\u{1B}[?1004h"))
            session.leave()
        }

        @Test(arguments: [
            ("xterm-kitty", "", TerminalControl.Notice.desktop, "\u{1B}]9;2 done[31m\u{1B}\\"),
            ("foot", "", .desktop, "\u{1B}]777;notify;winch;2 done[31m\u{1B}\\"),
            ("xterm-256color", "", .desktop, "\u{07}"),
            ("xterm-256color", "WezTerm", .desktop, "\u{1B}]9;2 done[31m\u{1B}\\"),
            ("foot", "", .bell, "\u{07}"), ("foot", "", .off, ""),
        ])
        func `notifies the user in a way that the terminal supports`(
            term: String, program: String, notice: TerminalControl.Notice, expected: String
        ) throws {
            var traits = TerminalEnvironment(term: term)
            traits.program = program
            let session = try TerminalControl(output: pty.slave, traits: traits, holdsStandardError: false)
            session.notify(notice, "2 done\u{1B}[31m")
            expect(String(decoding: pty.read(within: expected.isEmpty ? 0 : 2000), as: UTF8.self) == expected)
        }

        @Test func `restores the terminal when it is released`() throws {
            do {
                let session = try session()
                session.enter()
                expect(!pty.isCooked)
            }
            expect(pty.isCooked)
        }

        @Test func `says that a terminal was not left that takes nothing, and loses no byte of it`() throws {
            let session = try session()
            session.enter()
            session.present(Self.colorful)
            var terminal = TerminalScreen(columns: 60, rows: 12)
            terminal.settle(pty)
            tcflow(pty.slave, TCOOFF)
            expect(!session.leave(within: .milliseconds(10)))
            session.retake()
            expect(!pty.isCooked)
            expect(!session.leave(within: .milliseconds(10)))
            tcflow(pty.slave, TCOON)
            session.device.flush()
            terminal.settle(pty)
            expectEqual(terminal.modes.leftovers, [])
            session.retake()
            session.present(Self.colorful)
            terminal.settle(pty)
            expect(terminal.isOnAlternateScreen)
            expect(session.leave())
            terminal.settle(pty)
            expectEqual(terminal.modes.leftovers, [])
            expectEqual(terminal.faults, [])
        }

        @Test func `sends what an earlier leave has kept when it is left again`() throws {
            let session = try session()
            session.enter()
            session.present(Self.colorful)
            var terminal = TerminalScreen(columns: 60, rows: 12)
            terminal.settle(pty)
            tcflow(pty.slave, TCOOFF)
            expect(!session.leave(within: .milliseconds(10)))
            expect(!session.leave(within: .milliseconds(10)))
            tcflow(pty.slave, TCOON)
            expect(session.leave(within: .seconds(60)))
            terminal.settle(pty)
            expectEqual(terminal.modes.leftovers, [])
        }

        @Test func `leaves no colour of a frame that is cut short`() throws {
            let session = try session()
            session.enter()
            session.present(Self.colorful)
            var terminal = TerminalScreen(columns: 60, rows: 12)
            terminal.settle(pty)
            session.device.send(
                Array("\u{1B}[38:5:240m\(String(repeating: "\u{1B}[1;1H─", count: 100_000))".utf8))
            expect(session.device.hasUnsent)
            _ = session.leave(within: .zero)
            // CAN ends the sequence that is under way.
            terminal.writerWasKilled()
            while session.device.hasUnsent {
                terminal.settle(pty)
                session.device.flush()
            }
            terminal.settle(pty)
            expectEqual(terminal.leftovers, [])
            expectEqual(terminal.faults, [])
        }

        /// Lines are typed, not single keys.
        private var takesLines: Bool {
            var modes = termios()
            tcgetattr(pty.slave, &modes)
            return modes.c_lflag & tcflag_t(ICANON) != 0
        }

        @Test func `keeps what the user types while the terminal takes the last bytes`() throws {
            let slave = pty.slave
            let isRaw = Mutex(false)
            let isLeft = Mutex(false)
            let thread = SideThread {
                let traits = TerminalEnvironment(term: "xterm-256color")
                guard let session = try? TerminalControl(output: slave, traits: traits, holdsStandardError: false)
                else {
                    return
                }
                session.enter()
                tcflow(slave, TCOOFF)
                isRaw.withLock { $0 = true }
                let wasTaken = session.leave(within: .seconds(60))
                isLeft.withLock { $0 = wasTaken }
            }
            expect(eventually(within: 60) { isRaw.withLock { $0 } && takesLines })
            pty.type("ls\n")
            let clock = MonotonicClock()
            var poll = PollSet([.input(slave)])
            poll.wait(until: clock.now() + .seconds(60), clock: clock)
            tcflow(slave, TCOON)
            expect(thread.ends(within: 60))
            expect(isLeft.withLock { $0 })
            expect(pty.isCooked)
            try expectEqual(TerminalDevice(sharing: slave).read(), Array("ls\n".utf8))
        }

        @Test(arguments: [
            ("truecolor", ColorDepth.direct), ("24bit", .direct), ("", .indexed256), ("yes", .indexed256),
        ])
        func `uses the terminal's colours`(colorTerm: String, depth: ColorDepth) throws {
            let session = try session(colorTerm: colorTerm)
            expectEqual(session.colorDepth, depth)
            session.enter()
            session.present(Self.colorful)
            var terminal = TerminalScreen(columns: 60, rows: 12)
            terminal.settle(pty)
            expectEqual(terminal.differences(from: Self.colorful, depth: depth), [])
            session.leave()
        }

        @Test(arguments: 0..<3)
        func `leaves the screen before the rest of a frame on a slow line, and cuts no character`(offset: Int) throws {
            let device = try TerminalDevice(sharing: pty.slave)
            device.makeRaw()
            let frame = String(repeating: "a", count: offset) + String(repeating: "─", count: 350_000)
            device.send(Array(frame.utf8))
            expect(device.hasUnsent)
            device.cutShort()
            device.send(Array("bye".utf8))
            var bytes: [UInt8] = []
            while case let more = pty.read(within: 100), !more.isEmpty {
                bytes += more
                device.flush()
            }
            expectLess(bytes.count, than: 1 << 20)
            expectEqual(bytes.suffix(4), [TerminalDevice.cancel] + "bye".utf8)
            expect(String(validating: bytes, as: UTF8.self) != nil)
            device.makeCooked()
        }

        @Test func `never changes the palette`() throws {
            let session = try session()
            session.enter()
            session.present(Self.colorful)
            session.leave()
            session.enter()
            session.present(Self.colorful)
            session.leave()
            expect(!written().contains("\u{1B}]"))
        }

        @Test func `uses no colour when colour is disabled`() throws {
            let traits = TerminalEnvironment(term: "xterm-256color", colorTerm: "truecolor", refusesColor: true)
            let session = try TerminalControl(output: pty.slave, traits: traits, holdsStandardError: false)
            expectEqual(session.colorDepth, .mono)
        }

        @Test(arguments: [
            ("", TerminalFailure.unknownTerminal("")), ("no-such-terminal", .unknownTerminal("no-such-terminal")),
            ("dumb", .incapable("dumb")), ("../../etc/passwd", .unknownTerminal("../../etc/passwd")),
        ])
        func `reports why a terminal is not supported`(term: String, failure: TerminalFailure) throws {
            #expect(throws: failure) { try session(term) }
        }

        @Test func `requires a terminal`() throws {
            let file = open("/dev/null", O_RDWR)
            defer { close(file) }
            #expect(throws: TerminalFailure.notATerminal) {
                try TerminalControl(output: file, traits: TerminalEnvironment(term: "xterm"), holdsStandardError: false)
            }
        }

        @Test func `detects UTF-8 from the locale`() throws {
            try expect(session().isUTF8)
            setenv("LC_ALL", "POSIX", 1)
            try expect(!session().isUTF8)
            // The locale is not installed, but its name says UTF-8.
            setenv("LC_ALL", "xx_YY.UTF-8", 1)
            try expect(session().isUTF8)
        }

        @Test(arguments: [(0, 0, 80, 24), (65_535, 65_535, 1000, 500), (1, 1, 1, 1)])
        func `corrects implausible window sizes`(columns: Int, rows: Int, wide: Int, high: Int) throws {
            pty.resize(columns: columns, rows: rows)
            try expectEqual(session().size, ScreenSize(columns: wide, rows: high))
        }
    }
}

extension String {
    /// The number of occurrences of `part` in the string.
    fileprivate func components(count part: String) -> Int { ranges(of: part).count }
}

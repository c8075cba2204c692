import Glibc
import Testing
import WinchScreen

@testable import WinchTerminal

extension `The terminal` {
    @Suite struct `A session` {
        private let pty: PseudoTerminal

        init() throws {
            useUTF8()
            pty = try PseudoTerminal(columns: 60, rows: 12)
        }

        private func session(_ term: String = "xterm-256color", colorTerm: String = "") throws -> TerminalSession {
            try TerminalSession(
                output: pty.slave, traits: TerminalTraits(term: term, colorTerm: colorTerm), holdsStandardError: false)
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

        @Test func `takes the terminal and gives it back`() throws {
            let session = try session()
            #expect(pty.isCooked)
            #expect(session.size == ScreenSize(columns: 60, rows: 12))
            session.enter()
            #expect(!pty.isCooked)
            session.present(Self.colorful)
            var terminal = VirtualTerminal(columns: 60, rows: 12)
            terminal.settle(pty)
            #expect(terminal.isOnAlternateScreen)
            #expect(terminal.modes.contains(2004))
            session.leave()
            terminal.settle(pty)
            #expect(pty.isCooked)
            #expect(terminal.modes == [7, 25])
            #expect(terminal.complaints == [])
        }

        @Test func `takes the mouse, gives it up when told, and with the screen`() throws {
            let session = try session()
            var terminal = VirtualTerminal(columns: 60, rows: 12)
            session.enter()
            terminal.settle(pty)
            #expect(terminal.modes.isSuperset(of: [1000, 1006]))
            session.capturesMouse = false
            terminal.settle(pty)
            #expect(terminal.modes.isDisjoint(with: [1000, 1006]))
            session.leave()
            session.enter()
            terminal.settle(pty)
            #expect(terminal.modes.isDisjoint(with: [1000, 1006]), "what was turned off stays off after fg")
            session.capturesMouse = true
            session.leave()
            terminal.settle(pty)
            #expect(terminal.modes == [7, 25])
        }

        @Test func `asks no terminal for a mouse that has none`() throws {
            let session = try session("vt100")
            session.enter()
            session.leave()
            var bytes: [UInt8] = []
            while case let more = pty.read(within: 100), !more.isEmpty { bytes += more }
            #expect(!String(decoding: bytes, as: UTF8.self).contains("?1000"))
        }

        @Test func `gives it back when it is forgotten`() throws {
            do {
                let session = try session()
                session.enter()
                #expect(!pty.isCooked)
            }
            #expect(pty.isCooked)
        }

        @Test(arguments: [
            ("truecolor", ColorDepth.direct), ("24bit", .direct), ("", .indexed256), ("yes", .indexed256),
        ])
        func `shows the colours that the terminal has`(colorTerm: String, depth: ColorDepth) throws {
            let session = try session(colorTerm: colorTerm)
            #expect(session.colorDepth == depth)
            session.enter()
            session.present(Self.colorful)
            var terminal = VirtualTerminal(columns: 60, rows: 12)
            terminal.settle(pty)
            #expect(terminal.differences(from: Self.colorful, depth: depth) == [])
            session.leave()
        }

        @Test func `never touches the palette`() throws {
            let session = try session()
            session.enter()
            session.present(Self.colorful)
            session.leave()
            session.enter()
            session.present(Self.colorful)
            session.leave()
            var bytes: [UInt8] = []
            while case let more = pty.read(within: 100), !more.isEmpty { bytes += more }
            #expect(!String(decoding: bytes, as: UTF8.self).contains("\u{1B}]"))
        }

        @Test func `refuses colour when asked to`() throws {
            let traits = TerminalTraits(term: "xterm-256color", colorTerm: "truecolor", refusesColor: true)
            let session = try TerminalSession(output: pty.slave, traits: traits, holdsStandardError: false)
            #expect(session.colorDepth == .mono)
        }

        @Test(arguments: ["vt100", "linux", "screen-256color", "tmux-256color", "rxvt", "xterm"])
        func `works on other terminals`(term: String) throws {
            let session = try session(term)
            session.enter()
            session.present(Self.colorful)
            #expect(!pty.read(within: 500).isEmpty)
            session.leave()
            #expect(pty.isCooked)
        }

        @Test(arguments: [
            ("", TerminalFailure.unknownTerminal("")), ("no-such-terminal", .unknownTerminal("no-such-terminal")),
            ("dumb", .incapable("dumb")), ("../../etc/passwd", .unknownTerminal("../../etc/passwd")),
        ])
        func `says why a terminal does not do`(term: String, failure: TerminalFailure) throws {
            #expect(throws: failure) { try session(term) }
        }

        @Test func `needs a terminal`() throws {
            let file = open("/dev/null", O_RDWR)
            defer { close(file) }
            #expect(throws: TerminalFailure.notATerminal) {
                try TerminalSession(output: file, traits: TerminalTraits(term: "xterm"), holdsStandardError: false)
            }
        }

        @Test func `asks for UTF-8`() throws {
            #expect(try session().isUTF8)
            setenv("LC_ALL", "POSIX", 1)
            #expect(try !session().isUTF8)
            // Not installed, but plainly meant.
            setenv("LC_ALL", "xx_YY.UTF-8", 1)
            #expect(try session().isUTF8)
        }

        @Test(arguments: [(0, 0, 80, 24), (65_535, 65_535, 1000, 500), (1, 1, 1, 1)])
        func `takes no size at its word`(columns: Int, rows: Int, wide: Int, high: Int) throws {
            pty.resize(columns: columns, rows: rows)
            #expect(try session().size == ScreenSize(columns: wide, rows: high))
        }
    }
}

@Suite struct `A screen's size` {
    @Test(arguments: [(-1, 0, 1, 1), (80, 24, 80, 24), (.max, .max, 1000, 500)])
    func `stays where cells can be paid for`(columns: Int, rows: Int, wide: Int, high: Int) {
        let size = ScreenSize(columns: columns, rows: rows)
        #expect((size.columns, size.rows) == (wide, high))
    }
}

import Glibc
import Synchronization
import TestSupport
import Testing
import WinchScreen

@testable import TerminalEmulator
@testable import WinchModel
@testable import WinchTerminal

extension `The terminal` {
    @Suite struct `A terminal loop` {
        private let pty: PseudoTerminal
        private let stage: LoopStage
        private var terminal = TerminalScreen(columns: 80, rows: 24)

        init() throws {
            useUTF8()
            pty = try PseudoTerminal(columns: 80, rows: 24)
            stage = try LoopStage(pty, columns: 80, rows: 24)
        }

        private mutating func expectDashboard(_ location: SourceLocation = #_sourceLocation) {
            let canvas = LoopStage.canvas(columns: terminal.columns, rows: terminal.rows)
            _ = terminal.watch(pty) { $0.isOnAlternateScreen && $0.differences(from: canvas) == [] }
            expect(terminal.isOnAlternateScreen, sourceLocation: location)
            expectEqual(terminal.faults, [], sourceLocation: location)
            let differences = terminal.differences(from: canvas)
            expectEqual(differences.prefix(5), [], "\(terminal.contents)", sourceLocation: location)
        }

        @Test mutating func `shows the dashboard and ends cleanly`() throws {
            expectDashboard()
            pty.type("q")
            expectEqual(stage.end(), .left)
            expect(stage.hasQuit)
            terminal.settle(pty, quietFor: 50)
            expect(pty.isCooked)
            expectEqual(terminal.modes.leftovers, [])
            expectEqual(terminal.faults, [])
        }

        @Test mutating func `writes nothing while nothing changes`() throws {
            expectDashboard()
            terminal.settle(pty)
            expectEqual(pty.read(within: 400), [])
            stage.mailbox.post(Update(at: MonotonicClock().now()))
            stage.signal(SIGTERM)
            expectEqual(stage.end(), .signalled(SIGTERM))
        }

        @Test mutating func `shows updates`() throws {
            expectDashboard()
            let id = TransferID(1)
            var totals = QueueTotals()
            totals.count = 1
            totals.active = 1
            let row = TransferSnapshot(id: id, name: "alpha.iso", host: "example.org", phase: .moving)
            stage.mailbox.post(
                Update(rows: [id: row], order: [id], totals: totals, at: MonotonicClock().now()))
            expect(terminal.watch(pty) { $0.contents.contains("alpha") })
            stage.signal(SIGTERM)
            expectEqual(stage.end(), .signalled(SIGTERM))
        }

        @Test mutating func `shows the effect of each key during a flood of updates`() throws {
            expectDashboard()
            terminal.settle(pty)
            let mailbox = stage.mailbox
            let isOver = Mutex(false)
            let flood = SideThread {
                while !isOver.withLock({ $0 }) {
                    mailbox.post(Update(at: MonotonicClock().now()))
                    usleep(50)
                }
            }
            // Updates without a change draw nothing: what is drawn is the effect of the key.
            for key in ["?", "?", "?", "?", "?"] {
                pty.type(key)
                expect(!pty.read(within: 60_000).isEmpty)
                terminal.settle(pty, quietFor: 60)
            }
            isOver.withLock { $0 = true }
            stage.signal(SIGTERM)
            expectEqual(stage.end(), .signalled(SIGTERM))
            expect(flood.ends(within: 60))
        }

        @Test(arguments: [SIGTERM, SIGHUP])
        mutating func `restores the terminal on a signal`(number: Int32) throws {
            expectDashboard()
            stage.signal(number)
            expectEqual(stage.end(), .signalled(number))
            expect(stage.hasQuit)
            expect(pty.isCooked)
        }

        @Test mutating func `ends when the window is closed`() throws {
            expectDashboard()
            pty.hangUp()
            expectEqual(stage.end(), .signalled(SIGHUP))
            expect(stage.hasQuit)
        }

        @Test mutating func `stops and continues on SIGTSTP and SIGCONT`() throws {
            expectDashboard()
            stage.signal(SIGTSTP)
            expect(eventually(within: 60) { stage.hasResumed })
            expectEqual(stage.stops, [true])
            expectDashboard()
            expect(!pty.isCooked)
            stage.signal(SIGCONT)
            expect(eventually(within: 60) { stage.commands.count == 2 })
            expectEqual(stage.stops.count, 1)
            stage.signal(SIGTERM)
            expectEqual(stage.end(), .signalled(SIGTERM))
        }

        @Test mutating func `follows two hundred random window sizes`() throws {
            expectDashboard()
            var random = Seeded(seed: 2)
            for _ in 0..<200 {
                let (columns, rows) = (20 + random.below(200), 2 + random.below(60))
                pty.resize(columns: columns, rows: rows)
                stage.signal(SIGWINCH)
                usleep(UInt32(random.below(4_000)))
                terminal.resize(columns: columns, rows: rows)
                if random.below(4) == 0 { terminal.feed(pty.read(within: 1)) }
            }
            expectDashboard()
            stage.signal(SIGTERM)
            expectEqual(stage.end(), .signalled(SIGTERM))
        }

        @Test func `ends although nothing reads from the terminal`() throws {
            pty.resize(columns: 400, rows: 200)
            stage.signal(SIGWINCH)
            // By now the output has filled the kernel's buffer for the terminal, and some of it is still unsent.
            usleep(200_000)
            stage.signal(SIGTERM)
            expectEqual(stage.end(), .signalled(SIGTERM))
            expect(pty.isCooked)
        }
    }
}

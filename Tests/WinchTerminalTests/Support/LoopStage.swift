import Glibc
import Synchronization
import TestSupport
import WinchScreen

@testable import TerminalEmulator
@testable import WinchModel
@testable import WinchTerminal

/// A terminal loop that runs on a pseudo-terminal; the test is the user.
final class LoopStage: Sendable {
    let mailbox: UpdateBuffer
    private let queue: RecordingQueue
    private let record: Record
    private let thread: SideThread
    let columns: Int
    let rows: Int

    /// What the loop did, written by its thread and read by the test.
    final class Record: Sendable {
        /// For each stop: whether the terminal had been restored before.
        let stops = Mutex<[Bool]>([])
        let end = Mutex<LoopEnd?>(nil)
        /// Signals stay pending until the loop reads them.
        let isReady = Mutex(false)
    }

    init(_ terminal: borrowing PseudoTerminal, columns: Int, rows: Int) throws {
        let mailbox = try LoopMailbox()
        let (queue, record) = (RecordingQueue(), Record())
        queue.feed.subscribe(mailbox.updates)
        let slave = terminal.slave
        thread = SideThread {
            SignalMask.close()
            record.isReady.withLock { $0 = true }
            let traits = TerminalEnvironment(term: "xterm-256color", colorTerm: "truecolor")
            guard let session = try? TerminalControl(output: slave, traits: traits, holdsStandardError: false) else {
                return
            }
            var ports = DashboardPorts(queue)
            ports.stop = { record.stops.withLock { $0.append(PseudoTerminal.isCooked(slave)) } }
            let loop = TerminalLoop(
                session: session, dashboard: Self.dashboard(columns: columns, rows: rows), mailbox: mailbox,
                ports: ports)
            let end = loop.run()
            record.end.withLock { $0 = end }
        }
        self.mailbox = mailbox.updates
        (self.queue, self.record) = (queue, record)
        self.columns = columns
        self.rows = rows
        _ = eventually(within: 60) { record.isReady.withLock { $0 } }
    }

    /// The loop of a failed test must end before the next test, since ncurses has global state.
    deinit {
        thread.signal(SIGTERM)
        _ = thread.ends(within: 3)
    }

    private static func dashboard(columns: Int, rows: Int) -> Dashboard {
        Dashboard(title: "stage", look: Appearance(isAnimated: false), columns: columns, rows: rows)
    }

    /// The expected canvas before any event.
    static func canvas(columns: Int, rows: Int) -> Canvas {
        let size = ScreenSize(columns: columns, rows: rows)
        return dashboard(columns: size.columns, rows: size.rows).draw(board: QueueCopy(), at: MonotonicClock().now())
    }

    func signal(_ number: Int32) { thread.signal(number) }

    /// How the loop ended; `nil` if it has not ended within `seconds`.
    func end(within seconds: Double = 60) -> LoopEnd? {
        _ = thread.ends(within: seconds)
        return record.end.withLock { $0 }
    }

    var commands: [Command] { queue.sent }
    var stops: [Bool] { record.stops.withLock { $0 } }

    var hasQuit: Bool {
        commands.contains { if case .quit = $0 { true } else { false } }
    }

    var hasResumed: Bool {
        commands.contains { if case .resumed = $0 { true } else { false } }
    }
}

extension TerminalScreen {
    /// Reads the program's output until `isDone`. False if that takes longer than `seconds`.
    mutating func watch(
        _ terminal: PseudoTerminal, within seconds: Double = 60, until isDone: (TerminalScreen) -> Bool
    ) -> Bool {
        let clock = MonotonicClock()
        let deadline = clock.now() + .seconds(seconds)
        while !isDone(self) {
            guard clock.now() < deadline else { return false }
            feed(terminal.read(within: 20))
            // The kernel returns 4 KiB per read; testing `isDone` after each would take longer than the frame.
            settle(terminal, quietFor: 3)
        }
        return true
    }

    /// Reads until there is no output for `quietFor` milliseconds.
    mutating func settle(_ terminal: PseudoTerminal, quietFor milliseconds: Int32 = 200) {
        while case let bytes = terminal.read(within: milliseconds), !bytes.isEmpty { feed(bytes) }
    }
}

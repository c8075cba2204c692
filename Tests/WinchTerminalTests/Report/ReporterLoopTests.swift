import Glibc
import Synchronization
import TestSupport
import Testing

@testable import WinchModel
@testable import WinchTerminal

/// Sensitive to time: signals reach a loop that runs.
@Suite struct `A reporter loop` {
    /// A loop that writes to a pipe; the test is both the engine and the reader.
    private final class Stage: Sendable {
        private let reader: Mutex<Int32>
        private let writer: Int32
        let mailbox: UpdateBuffer
        let queue: RecordingQueue
        private let thread: SideThread
        private let record: Record

        final class Record: Sendable {
            let end = Mutex<LoopEnd?>(nil)
            /// Signals stay pending until the loop reads them.
            let isReady = Mutex(false)
        }

        init(
            _ kind: ReportKind = .plain,
            isSettled: @escaping @Sendable (QueueTotals) -> Bool = { $0.count > 0 && $0.allSettled }
        ) throws {
            var ends: [Int32] = [-1, -1]
            try require(pipe(&ends) == 0)
            let (reader, writer) = (ends[0], ends[1])
            let (mailbox, queue, record) = (try LoopMailbox(), RecordingQueue(), Record())
            queue.feed.subscribe(mailbox.updates)
            thread = SideThread {
                SignalMask.close()
                record.isReady.withLock { $0 = true }
                let loop = ReporterLoop(
                    kind, output: writer, queue: queue, mailbox: mailbox, isSettled: isSettled)
                let end = loop.run()
                record.end.withLock { $0 = end }
            }
            self.reader = Mutex(reader)
            (self.writer, self.mailbox, self.queue) = (writer, mailbox.updates, queue)
            self.record = record
            try require(eventually(within: 60) { record.isReady.withLock { $0 } })
        }

        deinit {
            goAway()
            close(writer)
        }

        /// The reader closes its end, only once, since the descriptor may belong to another test after that.
        func goAway() {
            reader.withLock { reader in
                if reader >= 0 { close(reader) }
                reader = -1
            }
        }

        func signal(_ number: Int32) { thread.signal(number) }

        var hasQuit: Bool {
            queue.sent.contains { if case .quit = $0 { true } else { false } }
        }

        func end(within seconds: Double = 60) -> LoopEnd? {
            _ = thread.ends(within: seconds)
            return record.end.withLock { $0 }
        }

        /// The pipe takes no more.
        var isFull: Bool {
            var entry = pollfd(fd: writer, events: Int16(POLLOUT), revents: 0)
            return poll(&entry, 1, 0) == 0
        }

        func read() -> String {
            let reader = reader.withLock { $0 }
            _ = fcntl(reader, F_SETFL, O_NONBLOCK)
            var text: [UInt8] = []
            var block = [UInt8](repeating: 0, count: 64 << 10)
            while case let got = Glibc.read(reader, &block, block.count), got > 0 { text += block.prefix(got) }
            return String(decoding: text, as: UTF8.self)
        }

        func post(_ number: Int, _ kind: FeedEvent.Kind, finished: Int, of count: Int) {
            let at = MonotonicClock().now()
            var totals = QueueTotals()
            (totals.count, totals.finished) = (count, finished)
            mailbox.post(
                Update(totals: totals, events: [FeedEvent(id: TransferID(number), at: at, kind: kind)], at: at))
        }
    }

    @Test func `ends when everything is settled and the engine has ended`() throws {
        let stage = try Stage()
        stage.post(1, .finished(.saved(path: "a")), finished: 1, of: 2)
        stage.post(2, .finished(.saved(path: "b")), finished: 2, of: 2)
        expect(eventually(within: 60) { stage.hasQuit })
        expectNil(stage.end(within: 0.1))
        stage.queue.feed.end()
        expectEqual(stage.end(), .settled)
        expectEqual(stage.read(), "finished  a  0 B\nfinished  b  0 B\ntotal  2 of 2 finished\n")
    }

    /// `winch serve --until-done`: a queue in which nothing happens posts no update.
    @Test func `ends with an empty queue when that is nothing more to do`() throws {
        let stage = try Stage(isSettled: \.allSettled)
        expect(eventually(within: 60) { stage.hasQuit })
        stage.queue.feed.end()
        expectEqual(stage.end(), .settled)
    }

    @Test func `writes events that arrive just before the end`() throws {
        let stage = try Stage(.json)
        for number in 1...100 { stage.post(number, .cancelled, finished: 0, of: 101) }
        stage.queue.feed.end()
        expectEqual(stage.end(), .left)
        let lines = stage.read().split(separator: "\n")
        expectEqual(lines.count { $0.contains(#""event":"cancelled""#) }, 100)
        expectEqual(lines.last?.contains(#""event":"queue""#), true)
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func `ends cleanly on a signal`(number: Int32) throws {
        let stage = try Stage()
        stage.post(1, .started(attempt: 1), finished: 0, of: 1)
        stage.signal(number)
        expect(eventually(within: 60) { stage.hasQuit })
        stage.queue.feed.end()
        expectEqual(stage.end(), .signalled(number))
        expectEqual(stage.read(), "total  0 of 1 finished, 1 unfinished\n")
    }

    @Test func `ends at once on the second interrupt`() throws {
        let stage = try Stage()
        stage.signal(SIGINT)
        expect(eventually(within: 60) { stage.hasQuit })
        stage.signal(SIGINT)
        expectEqual(stage.end(), .quitAtOnce)
    }

    @Test func `ends when the reader closes the pipe`() throws {
        let stage = try Stage()
        stage.goAway()
        stage.post(1, .finished(.saved(path: "a")), finished: 1, of: 2)
        expect(eventually(within: 60) { stage.hasQuit })
        stage.queue.feed.end()
        expectEqual(stage.end(), .outputClosed(EPIPE))
    }

    @Test func `does not block the engine for a slow reader and loses nothing`() throws {
        let stage = try Stage()
        let long = String(repeating: "x", count: 1_000)
        for number in 1...2_000 {
            stage.post(number, .finished(.saved(path: "\(number)\(long)")), finished: number, of: 2_000)
        }
        stage.queue.feed.end()
        expectNil(stage.end(within: 0.2))
        var text = ""
        expect(
            eventually(within: 60) {
                text += stage.read()
                return text.hasSuffix("finished\n")
            })
        expectEqual(stage.end(), .settled)
        expectEqual(text.split(separator: "\n").count, 2_001)
    }

    @Test func `does not wait for the reader after a signal`() throws {
        let stage = try Stage()
        let long = String(repeating: "x", count: 1_000)
        for number in 1...2_000 {
            stage.post(number, .finished(.saved(path: "\(number)\(long)")), finished: number, of: 3_000)
        }
        expect(eventually(within: 60) { stage.isFull })
        stage.signal(SIGTERM)
        expect(eventually(within: 60) { stage.hasQuit })
        stage.queue.feed.end()
        expectEqual(stage.end(), .signalled(SIGTERM))
    }

    @Test func `writes nothing in quiet mode`() throws {
        let stage = try Stage(.quiet)
        stage.post(1, .finished(.saved(path: "a")), finished: 1, of: 1)
        expect(eventually(within: 60) { stage.hasQuit })
        stage.queue.feed.end()
        expectEqual(stage.end(), .settled)
        expectEqual(stage.read(), "")
    }
}

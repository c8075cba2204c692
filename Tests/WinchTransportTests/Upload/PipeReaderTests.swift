import Glibc
import TestSupport
import Testing

@testable import WinchTransport

@Suite(.timeLimit(.minutes(5))) struct `A stream that is kept on the disk` {
    /// The pipe holds 64 KiB, and one read may be under way.
    @Test func `is not read while no attempt wants it`() throws {
        let (source, sink) = try pipe()
        defer { close(sink) }
        let reader = PipeReader(name: "a pipe", open: { source })
        defer { reader.stop() }
        try reader.spool()
        expectEqual(written(to: sink, atMost: 4 << 20, tries: 12_000), 4 << 20)
        reader.rest()
        expectAtMost(written(to: sink, atMost: 4 << 20, tries: 100), 256 << 10)
        try reader.spool()
        expectEqual(written(to: sink, atMost: 4 << 20, tries: 12_000), 4 << 20)
    }

    @Test func `is closed when its upload is given up, while it is full and while nothing comes`() throws {
        for count in [0, 8 << 20] {
            let (source, sink) = try pipe()
            defer { close(sink) }
            let reader = PipeReader(name: "a pipe", open: { source })
            if count > 0 { _ = written(to: sink, atMost: count, tries: 20) }
            reader.abandon()
            expect(isClosed(sink))
            // Another attempt does not take the rest for the whole.
            expect(!reader.seek(to: 0))
        }
    }

    @Test func `is closed when nothing refers to its reader any more`() throws {
        let (source, sink) = try pipe()
        defer { close(sink) }
        var reader: PipeReader? = PipeReader(name: "a pipe", open: { source })
        expectEqual(reader?.isSpooling, false)
        reader = nil
        expect(isClosed(sink))
    }

    /// A write to the sink does not wait.
    private func pipe() throws -> (source: Int32, sink: Int32) {
        var ends: [Int32] = [0, 0]
        try require(Glibc.pipe(&ends) == 0)
        _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
        return (ends[0], ends[1])
    }

    /// Waits until the other end is closed; a minute at most, which only a hang reaches.
    private func isClosed(_ sink: Int32) -> Bool {
        var poll = pollfd(fd: sink, events: 0, revents: 0)
        return Glibc.poll(&poll, 1, 60_000) == 1 && poll.revents & Int16(POLLERR) != 0
    }

    /// Writes until the pipe has been full so often, with a pause after each time.
    private func written(to sink: Int32, atMost most: Int, tries: Int) -> Int {
        let block = [UInt8](repeating: 7, count: 64 << 10)
        var (count, tries) = (0, tries)
        while count < most, tries > 0 {
            let step = write(sink, block, min(block.count, most - count))
            if step > 0 {
                count += step
            } else {
                tries -= 1
                usleep(5000)
            }
        }
        return count
    }
}

import TestSupport
import Testing

@testable import WinchModel
@testable import WinchQueue

@Suite struct `The order of the list` {
    private static let both = [TransferID(2), TransferID(1)]

    /// - Parameter stop: stops the first two of four, of which two run; `nil`: they fail.
    @Test(
        arguments: [
            (nil, .retryFailed), (nil, .retry(both)), (.cancel(both), .restore), (.cancel(both), .retry(both)),
            (.pause(both), .resume(both)), (.pause(both), .resumeAll),
        ] as [(Command?, Command)])
    func `is kept by each command that has several start again`(stop: Command?, start: Command) {
        var run = QueueRun { ($0.slots, $0.undoSpan) = (2, .seconds(10)) }
        run.add(4)
        if let stop { run.command(stop) }
        for number in [2, 1] {
            if stop == nil { run.fail(number, .httpStatus(404)) } else { run.report(number, .stopped(kept: nil)) }
        }
        expectEqual(run.running, [3, 4])
        run.command(start)
        expectEqual(run.started, [])
        run.finish(4, with: 1)
        expectEqual(run.running, [1, 3])
        run.finish(3, with: 1)
        expectEqual(run.running, [1, 2])
    }

    @Test func `is kept when a host takes connections again`() {
        var run = QueueRun { $0.slots = 2 }
        run.add(.sample(hosts: ["a"]), .sample(hosts: ["a"]), .sample(hosts: ["a"]), .sample(hosts: ["b"]))
        run.fail(1, .httpStatus(429), retryAfter: .seconds(20))
        expectEqual(run.running, [2, 4])
        run.pass(.seconds(60))
        run.finish(4, with: 1)
        run.finish(2, with: 1)
        expectEqual(run.running.first, 1)
    }
}

/// Such as after a pause that is taken back at once.
@Suite struct `A transfer that is to go on while its connection closes` {
    private static let one = TransferID(1)

    /// The first of so many has closed its connection for nothing.
    private static func closing(_ count: Int) -> QueueRun {
        var run = QueueRun { ($0.slots, $0.mode) = (1, .simple) }
        run.add(count)
        run.command(.pauseAll)
        run.command(.resumeAll)
        expectEqual(run.started, [])
        return run
    }

    @Test func `keeps its slot, whatever had it close`() throws {
        let url = try TransferURL("http://elsewhere/f")
        let all = (1...4).map { TransferID($0) }
        let cases: [[Command]] = [
            [.pauseAll, .resumeAll], [.cancel(all), .restore], [.setURL(all[0], url), .setURL(all[1], url)],
        ]
        for commands in cases {
            var run = QueueRun { ($0.slots, $0.undoSpan) = (2, .seconds(10)) }
            run.add(4)
            for command in commands {
                run.command(command)
                expectEqual(run.started, [], "\(command)")
            }
            for number in [2, 1] {
                run.report(number, .stopped(kept: nil))
                expectEqual(run.started, [number], "\(commands)")
            }
            run.finish(1, with: 1)
            expectEqual(run.running, [2, 3])
        }
    }

    @Test(arguments: [Command.pause([one]), .cancel([one])])
    func `leaves its slot at once when it is not wanted any more`(command: Command) {
        var run = Self.closing(2)
        run.command(command)
        expectEqual(run.started, [2])
    }

    @Test func `leaves its slot when its file turns out to be complete`() {
        var run = Self.closing(2)
        run.report(1, .finished(.saved(path: "file"), size: ByteCount(1)))
        expectEqual(run.started, [2])
    }

    @Test func `holds up no transfer for which there are slots`() {
        var run = Self.closing(3)
        run.command(.setSlots(2))
        expectEqual(run.started, [2])
    }

    @Test func `starts after those that were moved before it`() {
        var run = Self.closing(2)
        run.command(.move(Self.one, by: 1))
        run.report(1, .stopped(kept: nil))
        expectEqual(run.started, [2])
    }

    @Test func `leaves its slot to the next after five seconds, and starts in its turn later`() {
        var run = Self.closing(3)
        expectEqual(run.queue.nextTick(after: run.now), run.now + .seconds(5))
        run.wait(.seconds(5))
        expectEqual(run.started, [2])
        run.report(1, .stopped(kept: nil))
        expectEqual(run.started, [])
        run.finish(2, with: 1)
        expectEqual(run.running, [1])
    }

    @Test func `keeps its place at its host`() {
        var run = QueueRun { ($0.slots, $0.perHost) = (3, 1) }
        run.add(.sample(hosts: ["a"]), .sample(hosts: ["a"]), .sample(hosts: ["b"]))
        expectEqual(run.running, [1, 3])
        run.command(.pauseAll)
        run.command(.resumeAll)
        expectEqual(run.started, [])
        run.add(.sample(hosts: ["c"]))
        expectEqual(run.started, [4])
        run.report(3, .stopped(kept: nil))
        expectEqual(run.started, [3])
        run.command(.pause([Self.one]))
        run.finish(4, with: 1)
        expectEqual(run.running, [2, 3])
    }

    @Test func `keeps no slot where its host has no place for it`() {
        var run = QueueRun { $0.slots = 2 }
        run.command(.shareHosts(["a": HostShare(places: 2), "b": HostShare(places: 1)]))
        run.add(.sample(hosts: ["a"]), .sample(hosts: ["a"]), .sample(hosts: ["b"]))
        expectEqual(run.running, [1, 2])
        run.command(.shareHosts(["a": HostShare(places: 1, isEnforced: true)]))
        expectEqual(run.running, [1, 3])
    }
}

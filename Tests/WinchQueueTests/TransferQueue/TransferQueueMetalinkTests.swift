import TestSupport
import Testing

@testable import WinchModel
@testable import WinchQueue

@Suite struct `A transfer that is a Metalink` {
    private static func listed(_ hosts: String...) -> TransportEvent {
        .listed(hosts.map { .sample(hosts: [$0]) }, size: ByteCount(500), warning: nil)
    }

    @Test func `ends as finished, and its files are below it`() {
        var run = QueueRun { $0.slots = 1 }
        run.add(.sample(hosts: ["a"]), .sample(hosts: ["b"]))
        run.report(1, .requested)
        run.report(1, Self.listed("c", "d"))
        expectEqual(run.phase(1), .finished(.listed(path: "file", Found(files: 2))))
        expectEqual(run.queue.order.map(\.number), [1, 3, 4, 2])
        run.finish(2, with: 1)
        expectEqual(run.running, [3])
        run.finish(3, with: 1)
        expectEqual(run.running, [4])
        expectEqual(run.queue[TransferID(1)]?.size, .exact(ByteCount(500)))
    }

    @Test func `keeps the queue going when it is the last`() {
        var run = QueueRun()
        run.add(.sample(hosts: ["a"]))
        run.report(1, Self.listed("c"))
        expect(!run.events.contains { $0.kind == .queueFinished })
        run.finish(2, with: 1)
        expect(run.events.contains { $0.kind == .queueFinished })
    }

    @Test func `adds no file that is in the list already, so that loops end`() {
        var run = QueueRun()
        run.add(.sample(hosts: ["a"]), .sample(hosts: ["b"]))
        run.report(1, Self.listed("b", "a"))
        expectEqual(run.phase(1), .finished(.listed(path: "file", Found())))
        run.report(2, Self.listed("a", "b"))
        expectEqual(run.phase(1), .finished(.listed(path: "file", Found())))
        expectEqual(run.queue.order.count, 2)
    }

    @Test(arguments: [Command.pause([TransferID(1)]), .cancel([TransferID(1)])])
    func `adds nothing when it was stopped while its files were let in`(command: Command) {
        var run = QueueRun { $0.undoSpan = .zero }
        run.admitsAtOnce = false
        run.add(.sample(hosts: ["a"]))
        run.report(1, Self.listed("c"))
        guard case .admit(let specs, let connection, true)? = run.actions.first else {
            Issue.record("\(run.actions)")
            return
        }
        expect(run.running.isEmpty && run.phase(1) == .verifying(isCancelling: false))
        run.command(command)
        expectEqual(run.actions, [])
        run.apply(.admitted(Admitted(specs.map { Addition(spec: $0) }), by: connection, isLast: true))
        expectEqual(run.queue.order.count, 1)
        expectEqual(run.queue.ignored, 1)
        run.command(.retry([TransferID(1)]))
        run.command(.resume([TransferID(1)]))
        run.report(1, Self.listed("c"))
        expect(run.actions.contains { if case .admit = $0 { true } else { false } })
    }

    @Test func `adds nothing after it was stopped, or without files`() {
        var run = QueueRun()
        run.add(.sample(hosts: ["a"]))
        run.report(1, .listed([], size: .zero, warning: nil))
        expectEqual(run.queue.ignored, 1)
        run.command(.pause([TransferID(1)]))
        run.report(1, Self.listed("c"))
        expectEqual(run.queue.order.count, 1)
        expectEqual(run.phase(1), .paused)
    }
}

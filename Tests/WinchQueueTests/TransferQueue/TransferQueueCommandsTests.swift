import TestSupport
import Testing

@testable import WinchModel
@testable import WinchQueue

/// Every command in every phase: the resulting phase and the actions for the transport.
@Suite struct `A command` {
    private static let unchanged: [PreparedTransfer: String] = [
        .waiting: "waiting", .connecting: "connecting", .requested: "requested", .moving: "moving",
        .verifying: "verifying", .cancelling: "cancelling", .paused: "paused", .closing: "paused",
        .reopening: "waiting", .backoff: "backoff", .finished: "finished", .failed: "failed",
        .cancelled: "cancelled", .dropped: "cancelled",
    ]
    private static let pausing: [PreparedTransfer: String] = [
        .waiting: "paused", .connecting: "paused stop", .requested: "paused stop", .moving: "paused stop",
        .reopening: "paused", .backoff: "paused",
    ]
    private static let resuming: [PreparedTransfer: String] = [.paused: "connecting start", .closing: "waiting"]
    private static let cancelling: [PreparedTransfer: String] = [
        .waiting: "cancelled discard", .connecting: "cancelled drop", .requested: "cancelled drop",
        .moving: "cancelled drop", .verifying: "cancelling drop", .paused: "cancelled discard", .closing: "cancelled",
        .reopening: "cancelled", .backoff: "cancelled discard", .failed: "cancelled discard",
    ]
    private static let retrying: [PreparedTransfer: String] = [
        .backoff: "connecting start", .failed: "connecting start", .cancelled: "connecting start",
        .dropped: "waiting",
    ]
    private static let retryingFailed: [PreparedTransfer: String] = [.failed: "connecting start"]
    private static let moving: [PreparedTransfer: String] = [
        .connecting: "waiting stop", .requested: "waiting stop", .moving: "waiting stop",
        .backoff: "connecting start", .failed: "connecting start",
    ]
    private static let removing: [PreparedTransfer: String] = [.finished: "gone", .failed: "gone", .cancelled: "gone"]

    @Test(arguments: PreparedTransfer.allCases)
    func `has the effect listed in the table in each phase`(prepared: PreparedTransfer) throws {
        let url = try TransferURL("http://elsewhere/f")
        let id = [TransferID(prepared.number)]
        let commands: [(Command, [PreparedTransfer: String])] = [
            (.pause(id), Self.pausing), (.pauseAll, Self.pausing), (.resume(id), Self.resuming),
            (.resumeAll, Self.resuming), (.cancel(id), Self.cancelling), (.retry(id), Self.retrying),
            (.retryFailed, Self.retryingFailed), (.remove(id), Self.removing),
            (.setURL(TransferID(prepared.number), url), Self.moving),
        ]
        for (command, table) in commands {
            var run = prepared.run
            run.command(command)
            // Pausing all starts nothing: the other transfer is paused as well.
            let expected = table[prepared] ?? Self.unchanged[prepared]
            expectEqual(run.outcome(prepared.number), expected, "\(prepared) \(command)")
        }
    }

    @Test(arguments: PreparedTransfer.allCases)
    func `given twice has no further effect`(prepared: PreparedTransfer) {
        let id = [TransferID(prepared.number)]
        for command in [Command.pause(id), .resume(id), .cancel(id), .retry(id), .remove(id), .pauseAll, .resumeAll] {
            var run = prepared.run
            run.command(command)
            let once = (run.phase(prepared.number), run.queue.progress)
            run.command(command)
            expectEqual(run.phase(prepared.number), once.0, "\(prepared) \(command)")
            expectEqual(run.queue.progress, once.1)
            expectEqual(run.actions, [], "\(prepared) \(command)")
        }
    }

    @Test(arguments: [0, -1, 9, Int.min, Int.max])
    func `for an unknown transfer has no effect`(number: Int) {
        let id = TransferID(number)
        for command in [Command.pause([id]), .resume([id]), .cancel([id]), .retry([id]), .remove([id])] {
            var run = PreparedTransfer.moving.run
            run.command(command)
            run.command(.move(id, by: 1))
            expectEqual(run.actions, [])
            expectEqual(run.stage(1), .moving)
        }
    }

    @Test func `to quit ends everything, and nothing starts afterwards`() {
        var run = PreparedTransfer.waiting.run
        run.command(.quit)
        expectEqual(run.actions, [.shutDown])
        run.finish(1, with: 10)
        run.add(1)
        run.wait(.seconds(10))
        expectEqual(run.started, [])
        expectNil(run.queue.nextTick(after: run.now))
    }
}

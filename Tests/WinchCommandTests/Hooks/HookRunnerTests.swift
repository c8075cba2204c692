import Glibc
import Synchronization
import TestSupport
import Testing
import WinchModel

@testable import winch

@Suite struct HookRunnerTests {
    /// What was run, in order, and how many at the same time.
    private final class Runs: Sendable {
        struct Log {
            var started: [[String]] = []
            var running = 0
            var most = 0
            var beside: [Int] = []
            var told: [String] = []
        }
        let log = Mutex(Log())
        let end: HookProcess.End

        init(_ end: HookProcess.End = .success) { self.end = end }

        func runner(onSettled: HookCommand? = nil) -> HookRunner {
            HookRunner(onSettled: onSettled, home: WorkingFolder("/home/me")) { [self] process in
                log.withLock { log in
                    log.started.append(process.arguments + process.variables)
                    log.beside.append(log.running)
                    log.running += 1
                    log.most = max(log.most, log.running)
                }
                usleep(20_000)
                log.withLock { $0.running -= 1 }
                return end
            } tell: { [self] words in
                log.withLock { $0.told.append(words) }
            }
        }
    }

    private func call(_ number: Int, _ event: HookCall.Event = .done(.saved(path: "a.iso"))) -> HookCall {
        HookCall(
            HookCommand("tell", "\(number)"), event, of: TransferID(number), .sample(), mirror: 0, name: "x/a.iso",
            have: ByteCount(bytes: 7))
    }

    private func update(_ calls: [HookCall], isOver: Bool = false) -> Update {
        var update = Update(at: Moment(nanoseconds: 0))
        update.hookCalls = calls
        (update.totals.finished, update.totals.failed, update.totals.bytesDone) = (3, 1, 99)
        if isOver { update.append(FeedEvent(id: nil, at: Moment(nanoseconds: 0), kind: .queueFinished)) }
        return update
    }

    @Test func fourRunAtOnceAndTheLastAlone() {
        let runs = Runs()
        let runner = runs.runner(onSettled: HookCommand("over"))
        runner.post(update((1...9).map { call($0) }, isOver: true))
        runner.post(update([call(10)]))
        expect(runner.wait())
        let log = runs.log.withLock { $0 }
        expectEqual(log.started.count, 11)
        expectEqual(log.most, HookRunner.slots)
        expect(log.started[9].contains("WINCH_HOOK_EVENT=settled"))
        expect(log.beside[9] == 0 && log.beside[10] == 0)
    }

    @Test func aFailureIsToldWithTheOption() {
        let runs = Runs(.failure("ended with exit code 3"))
        let runner = runs.runner()
        runner.post(update([call(1)]))
        expect(runner.wait())
        expectEqual(runs.log.withLock { $0.told }, ["--on-done: tell ended with exit code 3"])
    }

    @Test func afterTheEndNothingNewIsRun() {
        let runs = Runs()
        let runner = runs.runner()
        runner.post(update((1...9).map { call($0) }))
        let dropped = runner.close()
        runner.post(update([call(10)]))
        expectAtMost(runs.log.withLock { $0.started.count } + dropped, 9)
        expectAtLeast(dropped, 1)
        expect(runner.wait())
        expectEqual(runs.log.withLock { $0.started.count }, 9 - dropped)
    }
}

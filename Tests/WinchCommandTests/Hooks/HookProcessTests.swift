import Foundation
import TestSupport
import Testing

@testable import winch

@Suite struct HookProcessTests {
    private func shell(_ script: String) -> HookProcess {
        HookProcess(arguments: ["sh", "-c", script], variables: ["WINCH_HOOK_EVENT=done", "WINCH_HOOK_FILE=/a b;c"])
    }

    @Test func aCommandIsToldTheEventAndNothingIsReadByAShell() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "hook-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        expectEqual(
            shell("echo \"$WINCH_HOOK_EVENT $WINCH_HOOK_FILE\" > \(file.path); wc -c >> \(file.path)").run(), .success
        )
        try expectEqual(String(contentsOf: file, encoding: .utf8), "done /a b;c\n0\n")
    }

    @Test func aFailureSaysHowItEndedAndTheLastLine() {
        expectEqual(shell("echo one; echo two >&2; exit 3").run(), .failure("ended with exit code 3: two"))
        expectEqual(shell("exit 1").run(), .failure("ended with exit code 1"))
        expectEqual(shell("kill -9 $$").run(), .failure("was ended by signal 9"))
        expectEqual(
            HookProcess(arguments: ["/no/such/program"], variables: []).run(),
            .failure("cannot be started: No such file or directory"))
    }

    @Test func ofMuchOutputTheEndIsKept() {
        expectEqual(shell("seq 1 100000; exit 2").run(), .failure("ended with exit code 2: 100000"))
    }

    @Test func theTimeIsLimitedForAllThatACommandHasStarted() {
        var process = shell("trap '' TERM; sleep 60 & wait; sleep 60")
        (process.limit, process.grace) = (.seconds(1), .milliseconds(300))
        let start = ContinuousClock.now
        expectEqual(process.run(), .failure("was ended after 1 s"))
        expectMore(ContinuousClock.now - start, than: .milliseconds(1200))
    }

    @Test func whatACommandLeavesRunningIsNotWaitedFor() {
        let start = ContinuousClock.now
        expectEqual(shell("sleep 50 & exit 0").run(), .success)
        expectLess(ContinuousClock.now - start, than: .seconds(40))
    }

    @Test func theSignalsAreThoseOfAnOrdinaryProcess() throws {
        for number in [SIGPIPE, SIGQUIT] { signal(number, SIG_IGN) }
        defer { signal(SIGQUIT, SIG_DFL) }
        let file = FileManager.default.temporaryDirectory.appending(path: "hook-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        expectEqual(shell("grep -E '^Sig(Blk|Ign)' /proc/self/status > \(file.path)").run(), .success)
        let sets = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            .compactMap { UInt64($0.split(separator: "\t")[1], radix: 16) }
        // The first 31: those above are the C library's own.
        expectEqual(sets.map { $0 & 0x7fff_ffff }, [0, 0])
    }
}

import TestSupport
import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `The next frame` {
    private func row(
        _ phase: TransferPhase, have: Int64 = 50, of size: Int64? = 100, finish: Double? = nil, stalled: Double? = nil
    ) -> TransferSnapshot {
        .sample(1, "a", phase, have: have, of: size, finish: finish, stalled: stalled)
    }

    /// A dashboard whose rows have not changed for a long time: no bar is moving.
    private func rested(
        _ rows: [TransferSnapshot], look: Appearance = Appearance(),
        change: (inout QueueTotals) -> Void = { $0.finish = nil }
    ) -> Sitting {
        var sitting = Sitting(rows, look: look, change: change)
        sitting.wait(10.25)
        sitting.handle(.tick)
        return sitting
    }

    @Test(
        arguments: [
            .waiting(.slot), .connecting, .requested, .moving, .paused, .replying, .verifying,
            .finished(.saved(path: "x")),
            .failed(.httpStatus(404)), .cancelled,
        ] as [TransferPhase])
    func `is never due while nothing moves or counts`(phase: TransferPhase) {
        expectNil(Sitting().nextFrame)
        expectNil(rested([row(phase)]).nextFrame)
        expectNil(rested([row(phase, of: 100)], look: Appearance(isAnimated: false)).nextFrame)
    }

    /// An update of rows that were there before.
    private func change(_ sitting: inout Sitting, _ rows: [TransferSnapshot]) {
        var update = Update.all(rows)
        update.order = nil
        sitting.dashboard.frameWasDrawn()
        sitting.update(update)
    }

    @Test(arguments: [(120, 36), (80, 24), (60, 12), (40, 6), (30, 2)])
    func `is not needed for most updates of moving transfers, and would show the same`(columns: Int, lines: Int) {
        func rows(_ step: Int) -> [TransferSnapshot] {
            (1...5).map { number in
                .sample(
                    number, "file-\(number)", .moving, have: Int64(10 + step * number) << 20, of: 1000 << 20,
                    rate: Double(1000 + step * 7), finish: 90 + Double(number + step) / 7)
            }
        }
        var sitting = Sitting(rows(0), columns: columns, lines: lines)
        var skipped = 0
        for step in 1...100 {
            sitting.wait(0.1)
            sitting.handle(.tick)
            let before = sitting.canvas
            change(&sitting, rows(step))
            guard !sitting.dashboard.hasNews else { continue }
            skipped += 1
            expectEqual(sitting.canvas, before, "step \(step)")
            expectEqual(sitting.nextFrame.map { $0 <= 0.5 }, true)
        }
        expect(lines < 12 || skipped >= 70)
    }

    @Test func `is needed when a connection works elsewhere in the file, and not while it only goes on`() {
        func split(_ have: Int64, second: Int64) -> TransferSnapshot {
            var file = row(.moving, have: (2 * have) << 20, of: 100 << 20)
            file.split = SplitProgress(
                connections: 2, onDisk: [0..<(have << 20), (50 << 20)..<((50 + have) << 20)],
                working: [have << 20, second << 20])
            return file
        }
        var sitting = Sitting([split(20, second: 70)])
        sitting.wait(0.1)
        change(&sitting, [split(21, second: 71)])
        expect(!sitting.dashboard.hasNews)
        sitting.wait(0.1)
        change(&sitting, [split(21, second: 85)])
        expect(sitting.dashboard.hasNews)
    }

    @Test func `is needed when a row or a sum changes in other ways, for a key, and for what is not animated`() {
        var sitting = Sitting([row(.moving), .sample(2, "b")])
        sitting.wait(0.1)
        change(&sitting, [row(.moving, have: 51), .sample(2, "b")])
        expect(!sitting.dashboard.hasNews)
        change(&sitting, [row(.moving, have: 51), .sample(2, "b", .paused)])
        expect(sitting.dashboard.hasNews)
        sitting.dashboard.frameWasDrawn()
        sitting.press(.character("j"))
        expect(sitting.dashboard.hasNews)
        sitting = Sitting([row(.moving)], look: Appearance(isAnimated: false))
        sitting.wait(0.1)
        change(&sitting, [row(.moving, have: 51)])
        expect(sitting.dashboard.hasNews)
    }

    @Test func `is due at the configured rate, at most 20 a second, while a bar moves`() {
        for (asked, expected) in [(10, 0.1), (20, 0.05), (60, 0.05), (0, 1.0)] {
            var sitting = rested([row(.moving)], look: Appearance(framesPerSecond: asked))
            sitting.update([row(.moving, have: 80)])
            expectEqual(sitting.nextFrame, expected)
            sitting.wait(1)
            sitting.handle(.tick)
            expectNil(sitting.nextFrame)
        }
    }

    @Test func `is due with the next figures for a change below an eighth of a cell`() {
        var sitting = rested([row(.moving, have: 500_000, of: 1_000_000)])
        sitting.update([row(.moving, have: 500_001, of: 1_000_000)])
        expectEqual(sitting.nextFrame, 0.25)
        sitting.wait(0.25)
        sitting.handle(.tick)
        expectNil(sitting.nextFrame)
    }

    @Test func `is due for a marquee while bytes arrive, but not when stalled or without animation`() {
        expectEqual(rested([row(.moving, of: nil)]).nextFrame, 0.05)
        expectNil(rested([row(.paused, of: nil)]).nextFrame)
        expectNil(rested([row(.moving, of: nil)], look: Appearance(isAnimated: false)).nextFrame)
        let stalled = rested([row(.moving, of: nil, stalled: 0)]).nextFrame
        expectEqual(stalled, 0.75)
    }

    @Test func `is due each second while a time counts down`() {
        let backoff = TransferPhase.backoff(until: .at(60), attempt: 1, limit: 5, failure: .httpStatus(503))
        for row in [row(backoff), row(.moving, finish: 60), row(.moving, stalled: 0)] {
            var sitting = rested([row])
            expectEqual(sitting.nextFrame, 0.75)
            sitting.wait(0.75)
            sitting.handle(.tick)
            expectEqual(sitting.nextFrame, 1)
        }
        expectEqual(rested([row(.moving)], change: { $0.finish = .at(60) }).nextFrame, 0.75)
        expectNil(rested([row(.paused)], change: { $0.finish = .at(60) }).nextFrame)
    }

    @Test func `is due for a countdown only if it is visible`() {
        let backoff = TransferPhase.backoff(until: .at(60), attempt: 1, limit: 5, failure: .httpStatus(503))
        var rows = Scenes.many(100)
        rows[90].phase = backoff
        expectNil(rested(rows).nextFrame)
    }

    @Test func `is due for the rainbow while bytes arrive but not in a pause`() {
        let look = Appearance(theme: .rainbow)
        expectEqual(rested([row(.moving)], look: look).nextFrame, 0.05)
        expectNil(rested([row(.paused)], look: look).nextFrame)
        expectNil(rested([row(.finished(.saved(path: "x")))], look: look).nextFrame)
        let frozen = rested([row(.paused)], look: look)
        var later = frozen
        later.wait(3)
        expectEqual(frozen.canvas, later.canvas)
    }

    @Test func `is due when a notice, a finished bar or a cause disappears`() {
        var notice = rested([row(.paused)])
        notice.handle(.notice("x"))
        expectEqual(notice.nextFrame, 4)

        var finish = rested([row(.moving, have: 99)])
        finish.update([row(.finished(.saved(path: "x")), have: 100)])
        expectEqual(finish.nextFrame, 0.05)
        finish.wait(0.3)
        finish.handle(.tick)
        expectLess(abs((finish.nextFrame ?? 0) - 0.2), than: 1e-9)
        finish.wait(0.2)
        finish.handle(.tick)
        expectNil(finish.nextFrame)

        var cause = rested([row(.paused)])
        let at = cause.now
        cause.update([row(.paused)]) { $0.rebase = Rebase(cause: .added(3), at: at, completed: 0, total: 9) }
        expect(cause.lines[2].contains("+3 files"))
        expectEqual(cause.nextFrame, 4)
        cause.wait(4)
        cause.handle(.tick)
        expect(!cause.lines[2].contains("+3 files"))
        expectNil(cause.nextFrame)
    }
}

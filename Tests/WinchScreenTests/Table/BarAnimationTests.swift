import TestSupport
import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `A bar's motion` {
    private func reading(_ fraction: Double?, rebase: Rebase? = nil, isFlowing: Bool = true) -> BarAnimation.Reading {
        BarAnimation.Reading(
            place: fraction.map { $0 == 1 ? .whole : .fraction($0) } ?? .unknown, rebase: rebase, isFlowing: isFlowing)
    }

    private func rebase(at seconds: Double) -> Rebase {
        Rebase(cause: .lostOnRetry, at: .at(seconds), completed: -600, total: 0)
    }

    private func shown(_ motion: BarAnimation, _ seconds: Double) -> Double { motion.shown(at: .at(seconds)) ?? -1 }

    @Test func `is the same at any frame rate while values arrive`() {
        func run(framesPerSecond: Int) -> Double {
            var motion = BarAnimation(at: reading(0), now: .at(0))
            for frame in 0...framesPerSecond {
                let time = Double(frame) / Double(framesPerSecond)
                // There are ten updates a second; frames between them repeat the last value.
                let fraction = Double(Int(time * 10 + 1e-9)) / 10 * 0.9
                motion.follow(reading(fraction), isAnimated: true, now: .at(time))
                _ = motion.shown(at: .at(time))
            }
            return shown(motion, 1.03)
        }
        expectLess(abs(run(framesPerSecond: 10) - run(framesPerSecond: 30)), than: 1e-9)
        expectLess(abs(run(framesPerSecond: 10) - run(framesPerSecond: 60)), than: 1e-9)
    }

    @Test func `never runs backwards without a cause`() {
        var motion = BarAnimation(at: reading(0.6), now: .at(0))
        motion.follow(reading(0.2), isAnimated: true, now: .at(1))
        for time in [1.0, 1.1, 2, 60] { expectEqual(shown(motion, time), 0.6) }
        motion.follow(reading(0.61), isAnimated: true, now: .at(61))
        expectLess(abs(shown(motion, 62) - 0.61), than: 1e-4)
    }

    @Test func `runs backwards within 500 ms after a rebase and shows the cause for a while`() {
        var motion = BarAnimation(at: reading(0.6), now: .at(0))
        motion.follow(reading(0, rebase: rebase(at: 1)), isAnimated: true, now: .at(1))
        expectLess(shown(motion, 1.1), than: 0.6)
        expectMore(shown(motion, 1.1), than: 0)
        expectEqual(shown(motion, 1.5), 0)
        expectEqual(motion.cause(at: .at(1.1))?.cause, .lostOnRetry)
        expectNil(motion.cause(at: .at(5)))
        expectEqual(motion.causeUntil, .at(5))

        // The same rebase, repeated in every update, does not allow the bar to move back again.
        motion.follow(reading(0.3, rebase: rebase(at: 1)), isAnimated: true, now: .at(2))
        motion.follow(reading(0.1, rebase: rebase(at: 1)), isAnimated: true, now: .at(3))
        expectLess(abs(shown(motion, 4) - 0.3), than: 1e-4)
    }

    @Test func `names transfers that left it until they are back`() {
        let removal = Rebase(cause: .removed(6), at: .at(1), completed: -600, total: -600)
        var motion = BarAnimation(at: reading(0.69), now: .at(0))
        motion.follow(reading(0.37, rebase: removal), isAnimated: true, now: .at(1))
        motion.follow(reading(0.38, rebase: removal), isAnimated: true, now: .at(2))
        expectEqual(motion.cause(at: .at(2))?.cause, .removed(6))
        motion.follow(reading(0.69, rebase: removal), isAnimated: true, now: .at(3))
        expect(motion.cause(at: .at(3)) == nil && motion.causeUntil == nil)
    }

    @Test func `is a marquee while the size is unknown, then eases once in 250 ms`() {
        var motion = BarAnimation(at: reading(nil), now: .at(0))
        expectNil(motion.shown(at: .at(0)))
        motion.follow(reading(0.5), isAnimated: true, now: .at(1))
        expectEqual(shown(motion, 1), 0)
        expectMore(shown(motion, 1.1), than: 0.2)
        expectEqual(shown(motion, 1.25), 0.5)
        expect(!motion.isMoving(width: 80, at: .at(1.25)))
    }

    @Test func `fills the bar in 250 ms at the finish and holds it for 250 ms more`() {
        var motion = BarAnimation(at: reading(0.5), now: .at(0))
        motion.follow(reading(1), isAnimated: true, now: .at(1))
        motion.follow(reading(1), isAnimated: true, now: .at(1.1))
        expectMore(shown(motion, 1.1), than: 0.5)
        expectLess(shown(motion, 1.1), than: 1)
        expectEqual(shown(motion, 1.25), 1)
        expect(motion.isFresh(at: .at(1.49)))
        expect(!motion.isFresh(at: .at(1.5)))
    }

    @Test func `shows a file that finished at once for half a second`() {
        let motion = BarAnimation(at: reading(1), isFresh: true, now: .at(0))
        expectEqual(shown(motion, 0), 0)
        expectEqual(shown(motion, 0.25), 1)
        expectEqual(motion.freshUntil, .at(0.5))
    }

    @Test func `starts at the current value when it is first shown, and jumps to it without animation`() {
        var motion = BarAnimation(at: reading(0.6), now: .at(0))
        expectEqual(shown(motion, 0), 0.6)
        expect(!motion.isMoving(width: 100, at: .at(0)))
        for fraction in [0.1, 0.9, 0.3, 1] {
            motion.follow(reading(fraction), isAnimated: false, now: .at(1))
            expectEqual(shown(motion, 1), fraction)
            expect(!motion.isMoving(width: 300, at: .at(1)))
        }
    }

    @Test func `continues only while at least an eighth of a cell is left`() {
        var motion = BarAnimation(at: reading(0.5), now: .at(0))
        motion.follow(reading(0.500_1), isAnimated: true, now: .at(0))
        expect(!motion.isMoving(width: 10, at: .at(0)))
        motion.follow(reading(0.6), isAnimated: true, now: .at(0))
        expect(motion.isMoving(width: 10, at: .at(0)))
        expect(!motion.isMoving(width: 10, at: .at(1)))
    }

    @Test(arguments: [(0.8, 50), (0.51, 100), (0.502, 200)])
    func `needs a frame when a cell changes, over less than two cells ten times a second`(to: Double, after: Int) {
        var motion = BarAnimation(at: reading(0.5), now: .at(0))
        motion.follow(reading(to), isAnimated: true, now: .at(1))
        let next = motion.nextStep(width: 80, after: .at(1), frame: .milliseconds(50))
        expectEqual(next, Moment.at(1) + .milliseconds(after))
        expectNil(motion.nextStep(width: 80, after: .at(2), frame: .milliseconds(50)))
    }

    @Test func `freezes the rainbow in a pause and continues from there`() {
        var motion = BarAnimation(at: reading(0.5), now: .at(0))
        let start = motion.flowed(at: .at(0))
        motion.follow(reading(0.5, isFlowing: false), isAnimated: true, now: .at(2))
        expectEqual(motion.flowed(at: .at(9)) - start, .seconds(2))
        motion.follow(reading(0.5), isAnimated: true, now: .at(10))
        expectEqual(motion.flowed(at: .at(11)) - start, .seconds(3))
    }
}

@Suite struct `The easing of a bar` {
    @Test func `goes 95% of the way in 250 ms, all of it during a suspension, and never backwards`() {
        expectEqual(AnimationEasing.step(from: 0.2, to: 0.8, elapsed: .seconds(-5)), 0.2)
        expectEqual(AnimationEasing.step(from: 0.2, to: 0.8, elapsed: .seconds(3600)), 0.8)
        expectLess(
            abs(AnimationEasing.step(from: 0, to: 1, elapsed: .milliseconds(250)) - 0.950_212_931_632_136), than: 1e-12)
        expectEqual(AnimationEasing.step(from: 0.2, to: 0.8, elapsed: .zero), 0.2)
    }
}

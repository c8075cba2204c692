import TestSupport
import Testing

@testable import WinchModel
@testable import WinchTerminal

@Suite struct `A frame pacer` {
    private var pacer = FramePacer(framesPerSecond: 20)
    private let start = Moment(seconds: 10)

    @Test
    mutating func `draws the first frame at once, then an update when a frame is due, a key at once and only once`() {
        expect(pacer.isDue(at: start))
        pacer.frameWasDrawn(at: start, next: nil)
        expectNil(pacer.due)
        expect(!pacer.isDue(at: start + .seconds(3600)))
        pacer.requestFrame()
        expectEqual(pacer.due, start + .milliseconds(50))
        pacer.requestUrgentFrame()
        expect(pacer.isDue(at: start))
        pacer.frameWasDrawn(at: start, next: nil)
        expectNil(pacer.due)
    }

    @Test mutating func `draws frames for keys 10 ms apart, whatever was drawn for transfers between them`() {
        pacer.requestUrgentFrame()
        pacer.frameWasDrawn(at: start, next: nil)
        pacer.requestFrame()
        pacer.frameWasDrawn(at: start + .milliseconds(4), next: nil)
        pacer.requestUrgentFrame()
        expectEqual(pacer.due, start + .milliseconds(10))
        pacer.frameWasDrawn(at: start + .milliseconds(10), next: nil)
        pacer.frameWasDrawn(at: start + .milliseconds(60), next: nil)
        pacer.requestUrgentFrame()
        expect(pacer.isDue(at: start + .milliseconds(60)))
    }

    @Test mutating func `draws the updates after a command at once, but no more than three of them`() {
        pacer.frameWasDrawn(at: start, next: nil)
        pacer.expectAnswer(at: start)
        for millisecond in 1...3 {
            let now = start + .milliseconds(millisecond)
            pacer.requestUpdateFrame(at: now)
            expect(pacer.isDue(at: now))
            pacer.frameWasDrawn(at: now, next: nil)
        }
        pacer.requestUpdateFrame(at: start + .milliseconds(4))
        expectEqual(pacer.due, start + .milliseconds(53))
    }

    @Test mutating func `draws an update long after a command as any other`() {
        pacer.frameWasDrawn(at: start + .seconds(2), next: nil)
        pacer.expectAnswer(at: start)
        pacer.requestUpdateFrame(at: start + .seconds(2))
        expectEqual(pacer.due, start + .milliseconds(2050))
    }

    @Test mutating func `draws a key's frame without the updates that wait, which come when their frame is due`() {
        pacer.frameWasDrawn(at: start, next: nil)
        pacer.requestUpdateFrame(at: start + .milliseconds(10))
        pacer.requestUrgentFrame()
        expect(pacer.drawsWithoutUpdates(at: start + .milliseconds(10)))
        pacer.frameWasDrawn(at: start + .milliseconds(10), next: nil, leavesUpdates: true)
        expect(!pacer.isDue(at: start + .milliseconds(49)))
        expect(pacer.isDue(at: start + .milliseconds(50)))
        expect(!pacer.drawsWithoutUpdates(at: start + .milliseconds(50)))
    }

    @Test mutating func `does not let held keys keep updates back`() {
        pacer.frameWasDrawn(at: start, next: nil)
        pacer.requestUpdateFrame(at: start)
        var drawn = 0
        for millisecond in stride(from: 10, to: 1_000, by: 10) {
            let now = start + .milliseconds(millisecond)
            pacer.requestUrgentFrame()
            let leavesUpdates = pacer.drawsWithoutUpdates(at: now)
            if !leavesUpdates { drawn += 1 }
            pacer.frameWasDrawn(at: now, next: nil, leavesUpdates: leavesUpdates)
            pacer.requestUpdateFrame(at: now)
        }
        expectEqual(drawn, 19)
    }

    @Test mutating func `draws a key's frame with the updates while a command has no answer`() {
        pacer.frameWasDrawn(at: start, next: nil)
        pacer.expectAnswer(at: start)
        pacer.requestUrgentFrame()
        expect(!pacer.drawsWithoutUpdates(at: start + .milliseconds(1)))
    }

    @Test mutating func `draws a key and the answer to its command in one frame, as soon as the answer is there`() {
        pacer.frameWasDrawn(at: start, next: nil)
        let pressed = start + .milliseconds(20)
        pacer.expectAnswer(at: pressed)
        pacer.requestUrgentFrame()
        expect(!pacer.isDue(at: pressed))
        pacer.requestUpdateFrame(at: pressed + .milliseconds(1))
        expect(pacer.isDue(at: pressed + .milliseconds(1)))
        expect(!pacer.drawsWithoutUpdates(at: pressed + .milliseconds(1)))
        pacer.frameWasDrawn(at: pressed + .milliseconds(1), next: nil)
        expectNil(pacer.due)
    }

    @Test mutating func `draws a key without the answer to its command when that is late`() {
        pacer.frameWasDrawn(at: start, next: nil)
        pacer.expectAnswer(at: start)
        pacer.requestUrgentFrame()
        expectEqual(pacer.due, start + FramePacer.grace)
        pacer.frameWasDrawn(at: start + FramePacer.grace, next: nil)
        pacer.requestUpdateFrame(at: start + .milliseconds(8))
        expect(pacer.isDue(at: start + .milliseconds(8)))
        pacer.frameWasDrawn(at: start + .milliseconds(8), next: nil)
        pacer.requestUrgentFrame()
        expectEqual(
            pacer.due, start + FramePacer.grace + FramePacer.keySpan, "a key without a command waits for no answer")
    }

    @Test(arguments: [(5, 50), (50, 50), (70, 70), (5_000, 5_000)])
    func `limits an animation to the maximum rate`(asked: Int, given: Int) {
        var pacer = pacer
        pacer.frameWasDrawn(at: start, next: start + .milliseconds(asked))
        expectEqual(pacer.due, start + .milliseconds(given))
    }

    @Test mutating func `keeps the frame of an animation when updates before it change nothing`() {
        pacer.frameWasDrawn(at: start, next: start + .milliseconds(100))
        pacer.requestUpdateFrame(at: start + .milliseconds(10))
        pacer.frameWasSkipped(at: start + .milliseconds(60), next: start + .milliseconds(160))
        expectEqual(pacer.due, start + .milliseconds(100))
    }

    @Test mutating func `draws two frames a second in an unfocused window, but a key's frame at once`() {
        pacer.isUnwatched = true
        pacer.frameWasDrawn(at: start, next: start + .milliseconds(50))
        expectEqual(pacer.due, start + .milliseconds(500))
        pacer.requestUrgentFrame()
        expect(pacer.isDue(at: start))
    }

    @Test mutating func `draws at most twenty frames a second`() {
        var frames = 0
        for millisecond in 0..<1_000 {
            let now = start + .milliseconds(millisecond)
            pacer.requestFrame()
            guard pacer.isDue(at: now) else { continue }
            pacer.frameWasDrawn(at: now, next: now)
            frames += 1
        }
        expectEqual(frames, 20)
    }
}

import Testing

@testable import WinchModel
@testable import WinchTerminal

@Suite struct `A frame pacer` {
    private var pacer = FramePacer(framesPerSecond: 20)
    private let start = Moment(seconds: 10)

    @Test func `draws the first frame at once`() {
        #expect(pacer.isDue(at: start))
    }

    @Test mutating func `draws nothing while nothing changes`() {
        pacer.frameWasDrawn(at: start, next: nil)
        #expect(pacer.due == nil)
        #expect(!pacer.isDue(at: start + .seconds(3600)))
    }

    @Test mutating func `delays an update until a frame is due`() {
        pacer.frameWasDrawn(at: start, next: nil)
        pacer.requestFrame()
        #expect(pacer.due == start + .milliseconds(50))
    }

    @Test mutating func `draws a key's frame at once and only once`() {
        pacer.frameWasDrawn(at: start, next: nil)
        pacer.requestFrame()
        pacer.requestUrgentFrame()
        #expect(pacer.isDue(at: start))
        pacer.frameWasDrawn(at: start, next: nil)
        #expect(pacer.due == nil)
    }

    @Test mutating func `draws frames for keys 10 ms apart, whatever was drawn for transfers between them`() {
        pacer.requestUrgentFrame()
        pacer.frameWasDrawn(at: start, next: nil)
        pacer.requestFrame()
        pacer.frameWasDrawn(at: start + .milliseconds(4), next: nil)
        pacer.requestUrgentFrame()
        #expect(pacer.due == start + .milliseconds(10))
        pacer.frameWasDrawn(at: start + .milliseconds(10), next: nil)
        pacer.frameWasDrawn(at: start + .milliseconds(60), next: nil)
        pacer.requestUrgentFrame()
        #expect(pacer.isDue(at: start + .milliseconds(60)))
    }

    @Test(arguments: [(5, 50), (50, 50), (70, 70), (5_000, 5_000)])
    func `limits an animation to the maximum rate`(asked: Int, given: Int) {
        var pacer = pacer
        pacer.frameWasDrawn(at: start, next: start + .milliseconds(asked))
        #expect(pacer.due == start + .milliseconds(given))
    }

    @Test mutating func `draws two frames a second in an unfocused window, but a key's frame at once`() {
        pacer.isUnwatched = true
        pacer.frameWasDrawn(at: start, next: start + .milliseconds(50))
        #expect(pacer.due == start + .milliseconds(500))
        pacer.requestUrgentFrame()
        #expect(pacer.isDue(at: start))
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
        #expect(frames == 20)
    }
}

import Testing

@testable import WinchModel

@Suite struct `Formatted times that are left` {
    @Test(arguments: [(-1.5, "0 s"), (0.0, "0 s"), (0.1, "1 s"), (4.0, "4 s"), (3.2, "4 s"), (59.5, "1 m 0 s")])
    func `show 0 in a countdown only when the time is over`(seconds: Double, text: String) {
        #expect(TimeLeftFormat.countdown(.seconds(seconds)) == text)
    }

    @Test(arguments: [
        (-3.0, "about 0 s"), (0.2, "about 1 s"), (59.5, "about 60 s"), (61, "about 2 m"), (412, "about 7 m"),
        (3600, "about 60 m"), (3601, "about 2 h"), (200_000, "about 3 d"),
    ])
    func `show estimated times in one unit`(seconds: Double, text: String) {
        #expect(TimeLeftFormat.about(.seconds(seconds)) == text)
    }
}

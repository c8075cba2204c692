import Testing

@testable import WinchModel

@Suite struct `Formatted durations` {
    @Test(arguments: [
        (-5.0, "0 s"), (0, "0 s"), (0.9, "0 s"), (59, "59 s"), (60, "1 m 0 s"), (192, "3 m 12 s"), (3599, "59 m 59 s"),
        (3600, "1 h 0 m"), (7500, "2 h 5 m"), (86_399, "23 h 59 m"), (273_600, "3 d 4 h"),
    ])
    func `show durations in at most two units`(seconds: Double, text: String) {
        #expect(DurationFormat.text(.seconds(seconds)) == text)
    }
}

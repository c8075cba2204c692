import TestSupport
import Testing

@testable import WinchLedger
@testable import WinchModel

@Suite struct `The start of the history` {
    @Test(
        arguments: [
            ("90m", .ago(.seconds(5400))), ("12h", .ago(.seconds(43_200))), ("7d", .ago(.seconds(604_800))),
            ("2w", .ago(.seconds(1_209_600))), ("0d", .ago(.zero)),
            ("2026-11-21", .date(year: 2026, month: 11, day: 21, hour: 0, minute: 0)),
            ("2024-2-29", .date(year: 2024, month: 2, day: 29, hour: 0, minute: 0)),
            ("2026-11-21 18:30", .date(year: 2026, month: 11, day: 21, hour: 18, minute: 30)),
            ("2026-11-21T8:05", .date(year: 2026, month: 11, day: 21, hour: 8, minute: 5)),
            ("", nil), ("d", nil), ("7", nil), ("-7d", nil), ("1.5d", nil), ("9999999d", nil), ("７d", nil), ("7y", nil),
            ("2026-13-01", nil), ("2026-02-30", nil), ("2025-2-29", nil), ("2100-2-29", nil), ("2026-00-10", nil),
            ("1969-12-31", nil), ("26-11-21", nil), ("2026-11", nil), ("2026-11-21 24:00", nil),
            ("2026-11-21 18:60", nil),
            ("2026-11-21 18", nil), ("2026-11-21 18:30:00", nil), ("2026--21", nil), ("yesterday", nil),
        ] as [(String, SinceText?)])
    func `is a date, a time or a duration`(text: String, since: SinceText?) {
        expectEqual(SinceText(text), since)
    }
}

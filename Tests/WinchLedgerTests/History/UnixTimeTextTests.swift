import TestSupport
import Testing

@testable import WinchLedger
@testable import WinchModel

@Suite struct `The start of the history` {
    @Test(
        arguments: [
            ("90m", 5400), ("12h", 43_200), ("7d", 604_800), ("2w", 1_209_600), ("0d", 0), ("", nil), ("d", nil),
            ("7", nil),
            ("-7d", nil), ("1.5d", nil), ("9999999d", nil), ("７d", nil), ("7y", nil), ("yesterday", nil),
        ] as [(String, Int64?)])
    func `may be so long ago`(text: String, seconds: Int64?) {
        let now = UnixTime(milliseconds: 1_790_000_000_000)
        expectEqual(UnixTime(since: text, now: now).map { (now.milliseconds - $0.milliseconds) / 1000 }, seconds)
    }

    @Test(
        arguments: [
            ("2026-11-21", "2026-11-21 00:00"), ("2024-2-29", "2024-02-29 00:00"),
            ("2026-11-21 18:30", "2026-11-21 18:30"), ("2026-11-21T8:05", "2026-11-21 08:05"),
            ("2026-13-01", nil), ("2026-02-30", nil), ("2025-2-29", nil), ("2100-2-29", nil), ("2026-00-10", nil),
            ("1969-12-31", nil), ("26-11-21", nil), ("2026-11", nil), ("2026-11-21 24:00", nil),
            ("2026-11-21 18:60", nil), ("2026-11-21 18", nil), ("2026-11-21 18:30:00", nil), ("2026--21", nil),
        ] as [(String, String?)])
    func `may be a date in the user's time zone`(text: String, date: String?) {
        let time = UnixTime(since: text, now: UnixTime(milliseconds: 0))
        expectEqual(time?.text("%Y-%m-%d %H:%M", isLocal: true), date)
    }
}

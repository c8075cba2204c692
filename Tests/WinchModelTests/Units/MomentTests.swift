import TestSupport
import Testing

@testable import WinchModel

@Suite struct `A calendar offset` {
    @Test(arguments: [0, 1, -1, 1_795_284_833_123, -62_000_000_000, 4_102_444_800_000] as [Int64])
    func `converts dates to moments and back`(milliseconds: Int64) {
        let offset = CalendarConversion(Moment(seconds: 5), is: UnixTime(milliseconds: 1_795_284_833_000))
        let date = UnixTime(milliseconds: milliseconds)
        expectEqual(offset.date(of: offset.moment(of: date)), date)
    }

    @Test(arguments: [Int64.min, .max])
    func `never traps on a date from a file`(milliseconds: Int64) {
        let offset = CalendarConversion(Moment(seconds: 5), is: UnixTime(milliseconds: milliseconds))
        _ = offset.date(of: offset.moment(of: UnixTime(milliseconds: milliseconds)))
    }
}

@Suite struct `A duration from outside` {
    @Test(arguments: [Duration.seconds(Int64.max) * 10, Duration.seconds(Int64.min) * 10])
    func `never traps, however long it is`(span: Duration) {
        expectEqual(abs(span.seconds), 1e15)
        expect(span.nanoseconds == (span < .zero ? Int64.min / 2 : Int64.max / 2))
        expectEqual(TimeLeftFormat.countdown(span).isEmpty, false)
        expectEqual(TimeLeftFormat.about(span).isEmpty, false)
    }
}

import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `The steps of the rate limit` {
    @Test func `go from the highest to the lowest, which stays`() {
        #expect(RateLadder.below(nil) == ByteRate(perSecond: 10 * 1_048_576))
        #expect(RateLadder.below(ByteRate(perSecond: 1_048_576)) == ByteRate(perSecond: 500 * 1024))
        #expect(RateLadder.below(ByteRate(perSecond: 10 * 1024)) == ByteRate(perSecond: 10 * 1024))
    }

    @Test func `go up to no limit`() {
        #expect(RateLadder.above(ByteRate(perSecond: 10 * 1024)) == ByteRate(perSecond: 20 * 1024))
        #expect(RateLadder.above(ByteRate(perSecond: 10 * 1_048_576)) == nil)
        #expect(RateLadder.above(nil) == nil)
    }

    @Test func `are found from a limit between them`() {
        let between = ByteRate(perSecond: 700 * 1024)
        #expect(RateLadder.below(between) == ByteRate(perSecond: 500 * 1024))
        #expect(RateLadder.above(between) == ByteRate(perSecond: 1_048_576))
    }
}

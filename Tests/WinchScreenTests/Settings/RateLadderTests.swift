import TestSupport
import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `The steps of the rate limit` {
    private func rate(_ kibi: Double?) -> ByteRate? { kibi.map { ByteRate(perSecond: $0 * 1024) } }

    @Test(
        arguments: [
            (nil, 10_240, nil), (10_240, 5120, nil), (1024, 500, 2048), (700, 500, 1024), (10, 10, 20),
        ] as [(Double?, Double, Double?)])
    func `lead from no limit to the lowest and back, from between two steps as well`(
        kibi: Double?, below: Double, above: Double?
    ) {
        expectEqual(RateLadder.below(rate(kibi)), rate(below))
        expectEqual(RateLadder.above(rate(kibi)), rate(above))
    }
}

import Foundation
import Testing

@testable import WinchModel
@testable import WinchTerminal

@Suite struct `A line of JSON` {
    @Test(arguments: [
        (0.0, 3, "0"), (1.0, 3, "1"), (-0.25, 2, "-0.25"), (1_763_000_000.1234, 3, "1763000000.123"), (0.05, 1, "0.1"),
        (.infinity, 1, nil), (.nan, 1, nil), (1e300, 3, nil), (9.99, 0, "10"),
    ])
    func `contains only numbers that JSON allows`(value: Double, digits: Int, text: String?) {
        #expect(JSONLine.fixed(value, digits: digits) == text)
    }
}

import Foundation
import TestSupport
import Testing

@testable import WinchModel
@testable import WinchTerminal

@Suite struct `A line of JSON` {
    @Test(arguments: [
        (0.0, 3, "0"), (1.0, 3, "1"), (-0.25, 2, "-0.25"), (1_763_000_000.1234, 3, "1763000000.123"), (0.05, 1, "0.1"),
        (.infinity, 1, nil), (.nan, 1, nil), (1e300, 3, nil), (9.99, 0, "10"),
    ])
    func `contains only numbers that JSON allows`(value: Double, digits: Int, text: String?) {
        expectEqual(JSONLine.fixed(value, digits: digits), text)
    }

    @Test func `has of a transfer that is tried again when, and why`() {
        let phase = TransferPhase.backoff(until: Moment(seconds: 12), attempt: 2, limit: 5, failure: .httpStatus(503))
        let row = TransferSnapshot(id: TransferID(1), name: "a", host: "h", folder: "/in", phase: phase)
        var line = JSONLine()
        line.set(row, at: Moment(seconds: 10))
        expectEqual(
            line.text,
            """
            {"id":1,"name":"a","direction":"down","host":"h","url":"","folder":"/in","state":"retrying","have":0,\
            "size":null,"percent":null,"rate":null,"eta":null,"wait":2,"attempt":2,\
            "reason":"503 service unavailable","code":29,"status":503}
            """)
    }
}

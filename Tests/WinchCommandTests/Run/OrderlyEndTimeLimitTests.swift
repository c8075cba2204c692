import TestSupport
import Testing

@testable import winch

@Suite struct `The time limit of an end in order` {
    @Test func `gives servers three seconds to answer, and none when the user has pressed Ctrl-C twice`() {
        expectEqual(OrderlyEndTimeLimit.span(skipsWaiting: false), .seconds(3))
        expectEqual(OrderlyEndTimeLimit.span(skipsWaiting: true), .zero)
    }
}

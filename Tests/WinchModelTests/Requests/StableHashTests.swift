import TestSupport
import Testing

@testable import WinchModel

@Suite struct `A stable hash` {
    @Test func `is that of FNV-1a`() {
        expectEqual(StableHash().hex, "6c62272e07bb014262b821756295c58d")
        // Computed with an independent implementation (Python integers).
        var hash = StableHash()
        hash.add("a")
        expectEqual(hash.hex, "0880954550ab1be95aa0733055b751b9")
        hash.add("foobar")
        expectEqual(hash.hex, "8a83e637a0061b78c6373e4322499c61")
    }

    @Test func `tells where a text ends`() {
        var (one, other) = (StableHash(), StableHash())
        one.add("ab")
        one.add("c")
        other.add("a")
        other.add("bc")
        expect(one != other)
    }
}

import TestSupport
import Testing

@testable import WinchModel
@testable import WinchQueue

@Suite struct `The slots in use` {
    private let one = TransferID(1)
    private let two = TransferID(2)

    @Test func `are transfers, and connections at each host`() {
        var slots = SlotHolders()
        _ = slots.set(one, ["a", "a", "b"])
        _ = slots.set(two, ["a"])
        expectEqual(slots.holders, [one, two])
        expectEqual(["a", "b", "c"].map { slots.count(at: $0) }, [3, 1, 0])
        let freed = slots.set(one, ["a"])
        expectEqual(freed.sorted(), ["a", "b"])
        expectEqual(["a", "b"].map { slots.count(at: $0) }, [2, 0])
    }

    @Test func `forget a host with the last of its connections, and a transfer with its last`() {
        var slots = SlotHolders()
        _ = slots.set(one, ["a"])
        let freed = slots.set(one, [])
        expect(freed == ["a"] && Array(slots.hosts) == [] && slots.holders == [])
    }

    @Test func `count a connection once, however often it is set`() {
        var slots = SlotHolders()
        for _ in 0..<2 {
            let freed = slots.set(one, ["a"])
            expect(freed == [] && slots.count(at: "a") == 1)
        }
    }
}

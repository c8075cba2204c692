import Testing

@testable import WinchModel
@testable import WinchQueue

@Suite struct `The slots in use` {
    private let one = TransferID(1)
    private let two = TransferID(2)

    @Test func `are counted in all and by host`() {
        var slots = SlotHolders()
        slots.take(one, at: "a")
        slots.take(two, at: "a")
        #expect(slots.holders == [one, two] && slots.count(at: "a") == 2 && slots.count(at: "b") == 0)
        slots.release(one, at: "a")
        #expect(slots.holders == [two] && slots.count(at: "a") == 1)
    }

    @Test func `forget a host with the last of its connections`() {
        var slots = SlotHolders()
        slots.take(one, at: "a")
        slots.release(one, at: "a")
        #expect(Array(slots.hosts) == [])
    }

    @Test func `count a transfer once, however often it takes or releases`() {
        var slots = SlotHolders()
        slots.take(one, at: "a")
        slots.take(one, at: "a")
        #expect(slots.count(at: "a") == 1)
        slots.release(one, at: "a")
        slots.release(one, at: "a")
        #expect(slots.count(at: "a") == 0)
    }

    @Test func `leave the resting transfers to their own counts`() {
        var counts = InactiveCounts()
        for rest in [.paused, .paused, .verifying, .backoff, nil] as [TransferState.Summary.Inactivity?] {
            counts.count(rest, sign: 1)
        }
        counts.count(.paused, sign: -1)
        #expect([counts.verifying, counts.paused, counts.backoff] == [1, 1, 1])
    }
}

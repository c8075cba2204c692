import TestSupport
import Testing
import WinchModel

@testable import WinchQueue

@Suite struct `Random events for a split controller` {
    private struct Player {
        var random: SplitMix64
        var controller: SplitController
        var now = Moment(seconds: 1)
        var open: [Int] = []
        var next = 1
        var most = 1
        var refused = false
        var faults: [String] = []

        init(seed: UInt64) {
            random = SplitMix64(seed: seed)
            controller = SplitController(mayRepeatRequest: seed % 5 != 0, at: now)
        }

        mutating func apply(_ event: SplitEvent) {
            let before = controller.wanted
            for decision in controller.apply(event, at: now) where decision.text.isEmpty { faults.append("no text") }
            if controller.wanted > before, case .refused = event { faults.append("grows at a refusal") }
        }

        mutating func step() {
            now = now + .milliseconds(Int64.random(in: 0...60, using: &random))
            switch random.next() % 16 {
            case 0:
                most = Int.random(in: 1...9, using: &random)
                var circumstances = SplitCircumstances(
                    left: random.next() % 8 == 0
                        ? nil : ByteCount(bytes: Int64.random(in: 0...(1 << 32), using: &random)),
                    slots: most)
                circumstances.isRateLimited = random.next() % 8 == 0
                circumstances.isHostBusy = random.next() % 8 == 0
                _ = controller.change(circumstances, at: now)
            case 1...2 where open.count < controller.wanted:
                open.append(next)
                apply(.opened(next))
                next += 1
            case 3: if let number = open.randomElement(using: &random) { apply(.answered(number)) }
            case 4 where random.next() % 4 == 0: end { .refused($0, .status(429)) }
            case 5 where random.next() % 4 == 0: end { .lost($0) }
            case 6 where random.next() % 4 == 0: end { .closed($0) }
            case 8: apply(.moved(nil, ByteCount(bytes: 10_000)))
            default:
                for number in open {
                    apply(.moved(number, ByteCount(bytes: Int64.random(in: -1...400_000, using: &random))))
                }
            }
            check()
        }

        private mutating func end(_ event: (Int) -> SplitEvent) {
            guard let number = open.randomElement(using: &random) else { return }
            open.removeAll { $0 == number }
            apply(event(number))
        }

        private mutating func check() {
            let bound = max(1, min(most, SplitController.automatic))
            if !(1...bound).contains(controller.wanted) { faults.append("wants \(controller.wanted) of \(bound)") }
            if let limit = controller.limit, controller.wanted > limit { faults.append("wants more than allowed") }
            if let opensAt = controller.opensAt, opensAt > now + SplitController.longestBackoff {
                faults.append("waits too long")
            }
            if let wake = controller.wakesAt(after: now), wake <= now { faults.append("wakes in the past") }
        }
    }

    @Test(arguments: 0..<10 as Range<UInt64>)
    func `never lead beyond the bounds`(block: UInt64) {
        let first = Streams.firstSeed &+ block * 10
        for seed in first..<first + 10 {
            var player = Player(seed: seed)
            for _ in 0..<300 where player.faults.isEmpty { player.step() }
            expect(player.faults.isEmpty, "seed \(seed): \(player.faults)")
            if !player.faults.isEmpty { return }
        }
    }
}

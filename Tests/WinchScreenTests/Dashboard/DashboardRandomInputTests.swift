import Foundation
import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `Random input` {
    private static let environment = ProcessInfo.processInfo.environment
    /// `WINCH_STEPS` and `WINCH_SEED`, as `make monkey` sets them: the steps of all seeds, and the first seed.
    private static let steps = environment["WINCH_STEPS"].flatMap { Int($0) } ?? 6000
    private static let seeds: [UInt64] = {
        let first = environment["WINCH_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0...UInt64.max)
        return (0..<4).map { first &+ $0 }
    }()

    /// A canvas is drawn and checked only after every twentieth step, since otherwise a run would take minutes.
    @Test(arguments: seeds)
    func `never breaks the screen`(seed: UInt64) {
        var user = RandomUser(seed: seed)
        for step in 0..<Self.steps / Self.seeds.count {
            user.step()
            guard step % 20 == 0, let fault = user.fault(withHits: step % 200 == 0) else { continue }
            Issue.record("seed \(seed), step \(step): \(fault)\n\(user.sitting.canvas.text)")
            return
        }
    }
}

import Foundation
import Testing

/// Random answers; a failure prints the seed that reproduces it. `WINCH_STREAMS` and `WINCH_SEED` are those of `make fuzz`.
@Suite struct `An upload's dialogue under random answers` {
    private static let environment = ProcessInfo.processInfo.environment
    private static let each = (UInt64(environment["WINCH_STREAMS"] ?? "") ?? 2000) / blocks
    private static let first = UInt64(environment["WINCH_SEED"] ?? "") ?? UInt64.random(in: 0...1 << 48)
    private static let blocks: UInt64 = 10

    @Test(arguments: 0..<Self.blocks)
    func `ends, sends no byte that the source has not, and is done only when the server has all`(block: UInt64) {
        for number in 0..<Self.each {
            let seed = Self.first &+ block &* Self.each &+ number
            var dialogue = RandomDialogue(seed: seed)
            guard let fault = dialogue.fault() else { continue }
            Issue.record("seed \(seed): \(fault)\n\(dialogue.transcript.suffix(24).joined(separator: "\n"))")
            return
        }
    }
}

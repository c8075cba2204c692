import TestSupport
import Testing

/// Random answers; a failure prints the seed that reproduces it.
@Suite struct `An upload's dialogue under random answers` {
    @Test(arguments: 0..<Streams.blocks)
    func `ends, sends no byte that the source has not, and is done only when the server has all`(block: UInt64) {
        for seed in Streams.seeds(block) {
            var dialogue = RandomDialogue(seed: seed)
            guard let fault = dialogue.fault() else { continue }
            Issue.record("seed \(seed): \(fault)\n\(dialogue.transcript.suffix(24).joined(separator: "\n"))")
            return
        }
    }
}

import Foundation
import FuzzTargets
import TestSupport
import Testing

/// A short version of `make fuzz`: the corpus, whose files have caused failures or are typical, and 500 random inputs
/// for each parser.
@Suite struct `For any input` {
    private func corpus(_ target: FuzzTarget) throws -> [(name: String, bytes: [UInt8])] {
        let root =
            try [.html, .json].contains(target)
            ? URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../WinchListingTests/Pages")
            : require(Bundle.module.resourceURL).appending(path: "Corpus/\(target.rawValue)")
        return try FileManager.default.contentsOfDirectory(atPath: root.path).sorted().map { name in
            (name, [UInt8](try Data(contentsOf: root.appending(path: name))))
        }
    }

    @Test(arguments: FuzzTarget.allCases)
    func `the parsers read known difficult cases correctly`(target: FuzzTarget) throws {
        let corpus = try corpus(target)
        expect(!corpus.isEmpty)
        for (name, bytes) in corpus {
            let fault = target.fault(bytes)
            expectNil(fault, "\(target) \(name)")
        }
    }

    @Test(arguments: FuzzTarget.allCases)
    func `the parsers keep their invariants`(target: FuzzTarget) throws {
        var mutator = Mutator(corpus: try corpus(target).map(\.bytes), seed: Streams.firstSeed)
        for number in 0..<500 {
            let input = mutator.next()
            guard let fault = target.fault(input) else { continue }
            Issue.record(
                "\(target), seed \(Streams.firstSeed), input \(number): \(fault)\n\(String(decoding: input, as: UTF8.self))\n\(input)"
            )
            return
        }
    }
}

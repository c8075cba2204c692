import WinchModel

/// Generates inputs from the words of a grammar and from the corpus. The same seed generates the same inputs.
public struct Mutator {
    private var random: SplitMix64
    private let words: [[UInt8]]
    private let corpus: [[UInt8]]

    public init(_ target: FuzzTarget, corpus: [[UInt8]], seed: UInt64) {
        random = SplitMix64(seed: seed)
        words = target.words.map { Array($0.utf8) }
        self.corpus = corpus
    }

    public mutating func next() -> [UInt8] {
        var input: [UInt8]
        if !corpus.isEmpty, Bool.random(using: &random) {
            input = corpus[Int.random(in: 0..<corpus.count, using: &random)]
        } else {
            input = (0..<Int.random(in: 0...8, using: &random)).flatMap { _ in word() }
        }
        for _ in 0..<Int.random(in: 0...3, using: &random) { change(&input) }
        return input
    }

    private mutating func word() -> [UInt8] { words[Int.random(in: 0..<words.count, using: &random)] }

    private mutating func change(_ input: inout [UInt8]) {
        let place = Int.random(in: 0...input.count, using: &random)
        let end = min(input.count, place + Int.random(in: 0...4, using: &random))
        switch Int.random(in: 0..<4, using: &random) {
        case 0: input.insert(contentsOf: word(), at: place)
        case 1: input.removeSubrange(place..<end)
        case 2: input.insert(contentsOf: input[place..<end], at: place)
        default:
            if place < input.count {
                input[place] = UInt8.random(in: 0...255, using: &random)
            } else {
                input.append(UInt8.random(in: 0...255, using: &random))
            }
        }
    }
}

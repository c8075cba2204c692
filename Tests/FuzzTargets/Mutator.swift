import WinchModel

/// Generates inputs from a corpus: its entries, and the words that they consist of. The same seed generates the same inputs.
public struct Mutator {
    private var random: SplitMix64
    private let words: [[UInt8]]
    private let corpus: [[UInt8]]
    /// What no entry of a corpus needs to contain: zero, characters that combine, turn or hide text, numbers at the edge of
    /// 64 bits, digests, and names of almost the greatest length.
    private static let rare: [[UInt8]] =
        ["\0", "\u{301}", "\u{202E}", "\u{FEFF}", "9223372036854775807", "9223372036854775808"].map { Array($0.utf8) }
        + [32, 40, 64, 128, 244].map { [UInt8](repeating: UInt8(ascii: "a"), count: $0) }

    public init(corpus: [[UInt8]], seed: UInt64) {
        random = SplitMix64(seed: seed)
        var seen: Set<[UInt8]> = []
        words = (corpus.flatMap(Self.pieces) + Self.rare).filter { seen.insert($0).inserted }
        self.corpus = corpus
    }

    /// Each line, each word, and each byte between words.
    private static func pieces(of entry: [UInt8]) -> [[UInt8]] {
        var pieces: [[UInt8]] = []
        var isInWord = false
        for byte in entry {
            let isLetter = byte >= 0x80 || Unicode.Scalar(byte).properties.isAlphabetic
            let isOfWord = isLetter || "0123456789-.".utf8.contains(byte)
            if isOfWord, isInWord { pieces[pieces.count - 1].append(byte) } else { pieces.append([byte]) }
            isInWord = isOfWord
        }
        return pieces + entry.split(separator: UInt8(ascii: "\n")).map { Array($0) + [UInt8(ascii: "\n")] }
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
            input.replaceSubrange(
                place..<min(place + 1, input.count), with: [UInt8.random(in: 0...255, using: &random)])
        }
    }
}

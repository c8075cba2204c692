package import WinchModel

/// The sizes known in a queue, for guessing those that are not.
package struct KnownSizes: Hashable, Sendable {
    /// Ascending, in pieces that are cheap to insert into, none empty.
    private var pieces: [[Int64]] = []
    private var count = 0
    /// 128 bits: a hundred thousand sizes of 8 EiB do not overflow it.
    private var sum: Int128 = 0

    package init() {}

    /// Stands for a file's size while no other is known: 16 KiB, a small page or picture, so that the guess is soon outgrown
    /// rather than long undershot.
    static let firstGuess = ByteCount(bytes: 16_384)
    /// A piece of this length is cut in two. With 100,000 sizes an insertion moves at most this many numbers, and the
    /// median is found among 200 pieces.
    private static let longestPiece = 1024

    /// The lower median.
    package var estimate: ByteCount {
        var index = (count - 1) / 2
        for piece in pieces {
            if index < piece.count { return ByteCount(bytes: piece[index]) }
            index -= piece.count
        }
        return Self.firstGuess
    }

    /// What an unknown size comes to on average; `nil` while none is known. Larger files make it larger than the median;
    /// but one that is much larger than the usual says nothing of those to come, and counts as no more than `outlier`
    /// medians.
    package var mean: Double? {
        guard count > 0 else { return nil }
        let most = max(1, estimate.bytes).multipliedReportingOverflow(by: Self.outlier)
        guard !most.overflow, let largest = pieces.last?.last, largest > most.partialValue else {
            return Double(sum) / Double(count)
        }
        var bounded = sum
        for piece in pieces.reversed() {
            let beyond = piece.reversed().prefix { $0 > most.partialValue }
            for size in beyond { bounded -= Int128(size - most.partialValue) }
            if beyond.count < piece.count { break }
        }
        return Double(bounded) / Double(count)
    }

    /// Sizes of one kind of file differ by less.
    private static let outlier: Int64 = 8

    package mutating func insert(_ size: ByteCount) {
        count += 1
        sum += Int128(size.bytes)
        guard !pieces.isEmpty else { return pieces.append([size.bytes]) }
        let place = min(piece(of: size.bytes), pieces.count - 1)
        pieces[place].insert(size.bytes, at: pieces[place].firstNotBelow(size.bytes))
        if pieces[place].count >= Self.longestPiece {
            let half = pieces[place].count / 2
            pieces.insert(Array(pieces[place][half...]), at: place + 1)
            pieces[place].removeSubrange(half...)
        }
    }

    package mutating func remove(_ size: ByteCount) {
        let place = piece(of: size.bytes)
        guard place < pieces.count else { return }
        let index = pieces[place].firstNotBelow(size.bytes)
        guard pieces[place][index] == size.bytes else { return }
        count -= 1
        sum -= Int128(size.bytes)
        pieces[place].remove(at: index)
        if pieces[place].isEmpty { pieces.remove(at: place) }
    }

    /// The first piece whose last size is not below `size`.
    private func piece(of size: Int64) -> Int { pieces.partitioningIndex(where: { ($0.last ?? .min) >= size }) }
}

extension [Int64] { fileprivate func firstNotBelow(_ size: Int64) -> Int { partitioningIndex(where: { $0 >= size }) } }

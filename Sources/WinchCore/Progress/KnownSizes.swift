/// The sizes known in a queue, for guessing those that are not.
struct KnownSizes: Hashable, Sendable {
    /// Ascending.
    private var sizes: [Int64] = []

    /// Stands for a file's size while no other is known: 16 KiB, a small page or picture, so that the guess is soon outgrown
    /// rather than long undershot.
    static let firstGuess = ByteCount(bytes: 16_384)

    /// The lower median.
    var estimate: ByteCount {
        sizes.isEmpty ? Self.firstGuess : ByteCount(bytes: sizes[(sizes.count - 1) / 2])
    }

    mutating func insert(_ size: ByteCount) {
        sizes.insert(size.bytes, at: place(of: size.bytes))
    }

    mutating func remove(_ size: ByteCount) {
        let index = place(of: size.bytes)
        if index < sizes.count, sizes[index] == size.bytes { sizes.remove(at: index) }
    }

    /// The first index whose size is not below `size`.
    private func place(of size: Int64) -> Int {
        var low = 0
        var high = sizes.count
        while low < high {
            let middle = (low + high) / 2
            if sizes[middle] < size { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

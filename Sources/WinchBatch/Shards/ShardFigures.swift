import WinchModel

/// What a shard has of a list.
package struct ShardFigures: Hashable, Sendable {
    package let shard: Shard
    package var entries = 0
    /// Of the whole list, without duplicates and entries with errors.
    package var listed = 0

    package init(_ shard: Shard) {
        self.shard = shard
    }

    /// For the user: `shard 3/8: 1,250 of 10,000 entries`.
    package var words: String {
        let noun = listed == 1 ? "entry" : "entries"
        return "shard \(shard.text): \(NumberFormat.count(entries)) of \(NumberFormat.count(listed)) \(noun)"
    }
}

import WinchModel

/// The sort order of the table. Rows with equal values stay in queue order; unknown values come last in either
/// direction.
struct RowSort: Hashable, Sendable {
    /// In the order in which `<` and `>` step through them: the queue order, then the table's columns from left to
    /// right.
    enum Column: String, Hashable, Sendable, CaseIterable {
        case queue, name, done, size, rate, left, state, elapsed, mean, host, added
    }

    var column = Column.queue
    /// Reverses the column's default direction.
    var isInverted = false

    /// Reads `rate` or `rate,reverse`.
    init?(text: some StringProtocol) {
        let words = text.split(separator: ",", omittingEmptySubsequences: false)
        guard (1...2).contains(words.count), words.count == 1 || words[1] == "reverse",
            let column = Column(rawValue: String(words[0]))
        else { return nil }
        self.init(column: column, isInverted: words.count == 2)
    }

    init(column: Column = .queue, isInverted: Bool = false) {
        self.column = column
        self.isInverted = isInverted
    }

    /// The text that `init(text:)` reads.
    var text: String { column.rawValue + (isInverted ? ",reverse" : "") }

    /// From small to large. By default amounts are sorted with the largest first, all other columns with the smallest
    /// first.
    var isAscending: Bool { column.traits.isLargestFirst == isInverted }

    var isQueueOrder: Bool { column == .queue && !isInverted }

    /// The column `places` further on, in its default direction; wraps around.
    ///
    /// - Parameter shown: the sort columns of the table. A rarely used column is skipped if it is not among them.
    func cycled(by places: Int, among shown: [Column]) -> RowSort {
        let walked = Column.allCases.filter { !$0.traits.isRare || $0 == column || shown.contains($0) }
        let (count, place) = (walked.count, walked.firstIndex(of: column) ?? 0)
        return RowSort(column: walked[((place + places) % count + count) % count])
    }

    /// The sort order after the user has chosen `column`: reversed if it is the current one, else its default
    /// direction.
    func chosen(_ column: Column) -> RowSort {
        column == self.column ? RowSort(column: column, isInverted: !isInverted) : RowSort(column: column)
    }

    /// The rows of the board for which `shows` holds, in order.
    func arranged(
        _ board: QueueCopy, times: RowTimes = RowTimes(), at now: Moment = Moment(nanoseconds: 0),
        where shows: (TransferSnapshot) -> Bool
    ) -> [TransferID] {
        switch column {
        case .queue:
            let ids = board.ids(where: shows)
            return isInverted ? ids.reversed() : ids
        case .name: return byText(board, where: shows) { $0.name }
        case .host: return byText(board, where: shows) { $0.host }
        case .done: return byNumber(board, where: shows) { $0.fraction.map(\.ordered) }
        case .size: return byNumber(board, where: shows) { $0.size.known.map { $0.bytes.ordered } }
        case .rate: return byNumber(board, where: shows) { $0.isFlowing ? $0.rate.map { $0.perSecond.ordered } : nil }
        case .left: return byNumber(board, where: shows) { $0.isFlowing ? $0.finish?.nanoseconds.ordered : nil }
        case .state: return byNumber(board, where: shows) { UInt64($0.phase.place) }
        case .elapsed:
            return byNumber(board, where: shows) { times.elapsed($0.id, at: now).map { $0.nanoseconds.ordered } }
        case .mean: return byNumber(board, where: shows) { times.meanRate(of: $0, at: now)?.perSecond.ordered }
        case .added: return byNumber(board, where: shows) { times.added($0.id)?.nanoseconds.ordered }
        }
    }
}

extension QueueCopy {
    /// The transfers for which the condition holds, in queue order.
    func ids(where condition: (TransferSnapshot) -> Bool) -> [TransferID] {
        var ids: [TransferID] = []
        visit { row, _ in if condition(row) { ids.append(row.id) } }
        return ids
    }
}

extension RowSort {
    /// `rate, largest first`, `name, Z to A`.
    var words: String {
        (column == .queue ? "place in the queue" : column.words)
            + (isAscending ? column.traits.ascending : column.traits.descending)
    }
}

extension RowSort.Column {
    var words: String { traits.words }

    /// All that is to be said of a column except its values, which `arranged` compares.
    fileprivate struct Traits {
        let words: String
        /// For the user, after `words`: the order from small to large, and its reverse.
        var ascending = ""
        let descending: String
        var isLargestFirst = false
        /// The table's standard columns do not include it.
        var isRare = false
    }

    fileprivate var traits: Traits {
        let (smallest, largest) = (", smallest first", ", largest first")
        return switch self {
        case .queue: Traits(words: "queue", descending: ", last first")
        case .name: Traits(words: "name", descending: ", Z to A")
        case .done: Traits(words: "done %", ascending: smallest, descending: largest, isLargestFirst: true)
        case .size: Traits(words: "size", ascending: smallest, descending: largest, isLargestFirst: true)
        case .rate: Traits(words: "rate", ascending: smallest, descending: largest, isLargestFirst: true)
        case .left: Traits(words: "time left", ascending: ", soonest first", descending: ", latest first")
        case .state: Traits(words: "state", descending: ", ended first")
        case .elapsed:
            Traits(
                words: "time elapsed", ascending: ", shortest first", descending: ", longest first",
                isLargestFirst: true, isRare: true)
        case .mean:
            Traits(words: "mean rate", ascending: smallest, descending: largest, isLargestFirst: true, isRare: true)
        case .host: Traits(words: "host", descending: ", Z to A")
        case .added: Traits(words: "time added", descending: ", latest first", isRare: true)
        }
    }
}

extension RowSort {
    private struct Entry {
        var key: UInt64
        var index: Int
    }

    private func byNumber(
        _ board: QueueCopy, where shows: (TransferSnapshot) -> Bool, key: (TransferSnapshot) -> UInt64?
    ) -> [TransferID] {
        var entries: [Entry] = []
        entries.reserveCapacity(board.count)
        let isAscending = isAscending
        board.visit { row, index in
            guard shows(row) else { return }
            let key = key(row).map { isAscending ? $0 : ~$0 }
            // The largest number is reserved for unknown values.
            entries.append(Entry(key: key.map { min($0, .max - 1) } ?? .max, index: index))
        }
        entries.sort { $0.key == $1.key ? $0.index < $1.index : $0.key < $1.key }
        let order = board.order
        return entries.map { order[$0.index] }
    }

    private func byText(
        _ board: QueueCopy, where shows: (TransferSnapshot) -> Bool, _ text: (TransferSnapshot) -> String
    ) -> [TransferID] {
        var texts = SortedTexts(count: board.count)
        board.visit { row, index in if shows(row) { texts.append(text(row), index) } }
        let order = board.order
        return texts.sorted(isAscending: isAscending).map { order[$0] }
    }
}

extension TransferPhase {
    /// Active states first, then those that need the user, ended ones last.
    private static let places: [State] = [
        .moving, .replying, .verifying, .requested, .connecting, .backoff, .failed, .paused, .waiting, .cancelled,
        .finished,
    ]

    fileprivate var place: Int { Self.places.firstIndex(of: state) ?? 0 }
}

extension Double {
    /// A number of the same order; NaN and negative numbers become 0.
    fileprivate var ordered: UInt64 { self > 0 ? bitPattern : 0 }
}

extension Int64 {
    fileprivate var ordered: UInt64 { UInt64(bitPattern: self) ^ 1 << 63 }
}

/// Sorts many texts regardless of case, comparing eight bytes at a time as a number: sorting 100,000 strings by
/// comparison would take ten times as long.
struct SortedTexts {
    private struct Entry {
        var key: UInt64
        /// Index in `starts`.
        var place: Int32
    }

    /// The bytes of all texts in lower case, one after the other.
    private var bytes: [UInt8] = []
    /// Offset of each text in `bytes`; the last text ends with `bytes`.
    private var starts: [Int] = []
    /// The caller's numbers of the texts.
    private var names: [Int] = []

    init(count: Int) {
        starts.reserveCapacity(count)
        names.reserveCapacity(count)
        bytes.reserveCapacity(count * 24)
    }

    /// - Parameter name: the caller's number for the text, which `sorted` returns. Numbers must be passed in
    ///   ascending order; equal texts keep that order.
    mutating func append(_ text: String, _ name: Int) {
        starts.append(bytes.count)
        names.append(name)
        let isASCII =
            text.utf8.withContiguousStorageIfAvailable { text in
                guard text.allSatisfy({ $0 < 0x80 }) else { return false }
                bytes.append(contentsOf: text.lazy.map(\.lowered))
                return true
            } ?? false
        guard !isASCII else { return }
        bytes += Array(text.lowercased().utf8)
    }

    /// The callers' numbers in the order of their texts.
    func sorted(isAscending: Bool) -> [Int] {
        var entries = starts.indices.map { Entry(key: 0, place: Int32(truncatingIfNeeded: $0)) }
        var open = [(range: 0..<entries.count, depth: 0)]
        while let (range, depth) = open.popLast() {
            guard range.count > 1, let depth = firstDifference(of: entries[range], from: depth) else { continue }
            for index in range {
                let key = key(of: entries[index].place, from: depth)
                entries[index].key = isAscending ? key : ~key
            }
            entries[range].sort { $0.key == $1.key ? $0.place < $1.place : $0.key < $1.key }
            var start = range.lowerBound
            while start < range.upperBound {
                var end = start + 1
                while end < range.upperBound, entries[end].key == entries[start].key { end += 1 }
                open.append((start..<end, depth + 8))
                start = end
            }
        }
        return entries.map { names[Int($0.place)] }
    }

    private func text(_ place: Int32) -> Range<Int> {
        let place = Int(place)
        return starts[place]..<(place + 1 < starts.count ? starts[place + 1] : bytes.count)
    }

    /// Offset of the first byte in which the texts, which are equal before `depth`, differ; `nil` if they are all
    /// equal.
    private func firstDifference(of entries: ArraySlice<Entry>, from depth: Int) -> Int? {
        guard let first = entries.first.map({ text($0.place) }) else { return nil }
        var (same, longest) = (first.count, first.count)
        for entry in entries.dropFirst() {
            let other = text(entry.place)
            longest = max(longest, other.count)
            let most = min(same, other.count)
            var length = min(depth, most)
            while length < most, bytes[first.lowerBound + length] == bytes[other.lowerBound + length] { length += 1 }
            same = length
        }
        return same < longest && depth < longest ? max(same, depth) : nil
    }

    /// The eight bytes from `depth` on as a big-endian number; missing bytes are 0, so that a prefix of a text comes
    /// before it.
    private func key(of place: Int32, from depth: Int) -> UInt64 {
        let text = text(place)
        var key: UInt64 = 0
        for offset in depth..<depth + 8 {
            let byte = offset < text.count ? bytes[text.lowerBound + offset] : 0
            key = key << 8 | UInt64(byte)
        }
        return key
    }
}

/// Text for comparing without regard to case: UTF-8, lower case.
struct FoldedText: Hashable, Sendable {
    let bytes: [UInt8]

    init(_ text: String) { bytes = Array(text.lowercased().utf8) }

    /// Whether `text` contains it, regardless of case. Nearly all names are ASCII; those are searched in place,
    /// without a copy.
    func isIn(_ text: String) -> Bool {
        guard let first = bytes.first else { return true }
        let found = text.utf8.withContiguousStorageIfAvailable { Self.find(bytes, first, in: $0) }
        if let found, let answer = found { return answer }
        return Array(text.lowercased().utf8).withUnsafeBufferPointer { Self.holds(bytes, first, in: $0) }
    }

    /// `nil` if `hay` contains bytes beyond ASCII.
    private static func find(_ needle: [UInt8], _ first: UInt8, in hay: UnsafeBufferPointer<UInt8>) -> Bool? {
        guard hay.allSatisfy({ $0 < 0x80 }) else { return nil }
        return holds(needle, first, in: hay)
    }

    private static func holds(_ needle: [UInt8], _ first: UInt8, in hay: UnsafeBufferPointer<UInt8>) -> Bool {
        guard needle.count <= hay.count else { return false }
        for start in 0...(hay.count - needle.count) where hay[start].lowered == first {
            var length = 1
            while length < needle.count, hay[start + length].lowered == needle[length] { length += 1 }
            if length == needle.count { return true }
        }
        return false
    }
}

extension UInt8 {
    /// An ASCII capital as its small letter; anything else as it is.
    var lowered: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}

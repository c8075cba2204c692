/// The connections of a file, and where its bytes are when they come, or came, over several.
package struct SplitProgress: Hashable, Sendable, Codable {
    /// Open connections.
    package var connections: Int
    /// The parts of the file that are on disk: positions in bytes, ascending, without overlap; at most `mostRanges`. Empty while
    /// one connection brings all from the start on.
    package var onDisk: [Range<Int64>]
    /// The positions of the bytes that the connections bring next, ascending.
    package var working: [Int64]
    /// Why there are not more connections, e.g. `more did not help`; `nil`: more are tried, or not needed.
    package var reason: String?
    /// The file cannot have more than one connection.
    package var isFixed: Bool

    /// 32: sixteen connections leave at most so many parts, and a bar shows no more.
    package static let mostRanges = 32

    /// - Parameter onDisk: of more than `mostRanges` ranges the smallest are left out.
    package init(
        connections: Int, onDisk: [Range<Int64>], working: [Int64], reason: String? = nil, isFixed: Bool = false
    ) {
        self.connections = connections
        self.onDisk = onDisk
        self.working = working.sorted()
        self.reason = reason
        self.isFixed = isFixed
        guard onDisk.count > Self.mostRanges else { return }
        let largest = onDisk.sorted { ($0.length, $1.lowerBound) > ($1.length, $0.lowerBound) }
        self.onDisk = largest.prefix(Self.mostRanges).sorted { $0.lowerBound < $1.lowerBound }
    }
}

extension Range<Int64> {
    fileprivate var length: Int64 { upperBound &- lowerBound }
}

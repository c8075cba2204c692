struct LineBuffer {
    private var bytes: [UInt8] = []
    private var start = 0
    /// Up to here no line end was found.
    private var searched = 0
    private let most: Int

    /// 4 MiB: a Metalink's entry with the hashes of 50,000 pieces.
    static let mostFromClients = 4 << 20

    /// - Parameter most: the longest line, in bytes.
    init(most: Int) { self.most = most }

    mutating func append(_ more: some Sequence<UInt8>) {
        // What was read is removed at once for many lines, because all that follows is moved.
        if start > bytes.count / 2 {
            bytes.removeFirst(start)
            (start, searched) = (0, searched - start)
        }
        bytes += more
    }

    var isEmpty: Bool { start == bytes.count }

    var isTooLong: Bool { bytes.count - start > most && searched == bytes.count }

    /// - Returns: the next line without its end; `nil`: the rest of it has not come yet.
    mutating func next() -> ArraySlice<UInt8>? {
        guard let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
            searched = bytes.count
            return nil
        }
        defer { (start, searched) = (end + 1, end + 1) }
        return bytes[start..<end]
    }
}

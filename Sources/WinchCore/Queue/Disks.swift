/// What is known of the file systems that files are hauled to. Folders on the same one share its room.
struct Disks: Sendable {
    /// One file system.
    struct Disk: Sendable {
        /// `nil`: not told yet.
        var device: UInt64?
        /// A folder on it, to ask for and to name.
        var folder: String
        /// As last read.
        var reading: SpaceReading?
        var readAt: Moment?
        /// Bytes that we wrote since.
        var written: Int64 = 0
        /// A write found no room: nothing starts before a reading from this instant on.
        var fullUntil: Moment?
        /// How long the next wait of that kind is.
        var pause = Disks.firstPause
        /// Transfers that wait for room; some may have left since.
        var waiting: Set<TransferID> = []
        var askedAt: Moment?
        /// Since when transfers wait and none moves.
        var stuckSince: Moment?

        /// Bytes that may still be written, by the last reading; `nil`: nobody knows.
        var free: Int64? {
            guard let reading else { return nil }
            return min(max(0, reading.free.bytes), Disks.beyondAll) - written - reading.reserve
        }

        /// So many bytes more are ours.
        mutating func wrote(_ count: Int64) { written = min(Disks.beyondAll, written + min(count, Disks.beyondAll)) }
    }

    private(set) var list: [Disk] = []
    private var byFolder: [String: Int] = [:]
    /// Folders that were asked about and have not been answered for. A file server that hangs keeps a thread for each
    /// question: there is one for a folder, however long it takes.
    private var asked: Set<String> = []

    /// 2^60 bytes: sums of a few such numbers do not overflow, and no disk holds it.
    static let beyondAll: Int64 = 1 << 60

    /// After a write that found no room; doubled while nothing moves, since a quota does not show in the free space.
    static let firstPause = Duration.seconds(3)
    static let longestPause = Duration.seconds(60)
    /// From one question to the next while something waits for the answer.
    static let askSpan = Duration.seconds(3)
    /// Older than this, a reading is taken anew when something starts.
    static let freshFor = Duration.seconds(5)

    subscript(index: Int) -> Disk {
        get { list[index] }
        _modify { yield &list[index] }
    }

    func index(of folder: String) -> Int? { byFolder[folder] }

    func isAsked(_ folder: String) -> Bool { asked.contains(folder) }

    /// - Returns: false when an answer is due already.
    mutating func ask(_ folder: String) -> Bool { asked.insert(folder).inserted }

    mutating func noteAnswer(for folder: String) { asked.remove(folder) }

    /// The file system of a folder that nobody has told us of yet, for as long as nobody does.
    mutating func place(_ folder: String) -> Int {
        if let index = byFolder[folder] { return index }
        list.append(Disk(folder: folder))
        byFolder[folder] = list.count - 1
        return list.count - 1
    }

    /// Puts the folder on the file system that it turned out to be on.
    ///
    /// - Returns: its place, and the one that stood for the folder before when that was another.
    mutating func settle(_ folder: String, on device: UInt64) -> (index: Int, old: Int?) {
        let before = place(folder)
        if list[before].device == device { return (before, nil) }
        if let index = list.firstIndex(where: { $0.device == device }) {
            byFolder[folder] = index
            return (index, before)
        }
        guard list[before].device != nil else {
            list[before].device = device
            return (before, nil)
        }
        list.append(Disk(device: device, folder: folder))
        byFolder[folder] = list.count - 1
        return (list.count - 1, before)
    }
}

/// Room in a folder, as its file system tells.
public struct SpaceReading: Hashable, Sendable {
    /// Names the file system within this run.
    public var device: UInt64
    /// Bytes that we may still write.
    public var free: ByteCount
    /// Bytes of the whole file system.
    public var size: ByteCount

    public init(device: UInt64, free: ByteCount, size: ByteCount) {
        self.device = device
        self.free = free
        self.size = size
    }

    /// Left to others and to the file system's own needs: 16 MiB, on a small one the hundredth part.
    var reserve: Int64 { min(16 << 20, max(0, size.bytes) / 100) }
}

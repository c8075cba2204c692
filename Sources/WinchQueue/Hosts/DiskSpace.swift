import WinchModel

/// What is known of the file systems that files are written to, and which transfers wait for free space. Folders on the
/// same file system share its space.
package struct DiskSpace: Sendable {
    /// What a download still has to write.
    struct Need {
        var id: TransferID
        var rank: Int
        /// As far as is known.
        var bytes: Int64
        /// Of the whole file; `nil` while it is unknown.
        var size: ByteCount?
        var isMoving: Bool
    }

    /// One file system.
    private struct Disk: Sendable {
        /// `nil`: not told yet.
        var device: UInt64?
        /// A folder on it, to ask for and to name.
        var folder: String
        /// As last read.
        var reading: DiskSpaceReading?
        var readAt: Moment?
        /// Bytes that were written since.
        var written: Int64 = 0
        /// After a write that found no space.
        var full = FullDiskWait()
        /// Transfers that wait for space; some may have left since.
        var waiting: Set<TransferID> = []
        var askedAt: Moment?
        /// Since when transfers wait and none moves.
        var stuckSince: Moment?

        /// Bytes that may still be written, by the last reading; `nil`: it was never read.
        var free: Int64? {
            guard let reading else { return nil }
            return min(max(0, reading.free.bytes), DiskSpace.beyondAll) - written - reading.reserve
        }
    }

    private var disks: [Disk] = []
    /// Places in `disks` of folders that turned out to be on a known one.
    private var unused: [Int] = []
    private var byFolder: [String: Int] = [:]
    /// Folders with a question that has not been answered. A file server that hangs keeps a thread for each question: there
    /// is one for a folder, however long it takes.
    private var asked: Set<String> = []
    /// Transfers that wait for space.
    var waitingCount = 0

    /// 2^60 bytes: sums of a few such numbers do not overflow, and no disk holds it.
    private static let beyondAll: Int64 = 1 << 60
    /// Of more folders it is forgotten which file system they are on, and asked again.
    static let mostFolders = 4096
    /// Older than this, a reading is taken anew when something starts.
    static let freshFor = Duration.seconds(5)

    /// The file system of a folder; `nil`: nothing was written there yet.
    func disk(of folder: String) -> Int? { byFolder[folder] }

    /// Whether a download fits beside those that move.
    ///
    /// - Parameter committed: bytes that others on the disk still have to write.
    func hasSpace(for need: Need, on disk: Int, committed: @autoclosure () -> Int64) -> Bool {
        guard disks[disk].full.until == nil else { return false }
        guard let free = disks[disk].free else { return true }
        if isBeyond(disk, need) { return true }
        let left = free - committed()
        return need.size == nil ? left > 0 : need.bytes == 0 || need.bytes <= left
    }

    /// What is larger than the whole disk fails at once, by the transport's word: no waiting helps, and it takes no space.
    private func isBeyond(_ disk: Int, _ need: Need) -> Bool {
        guard let size = disks[disk].reading?.size, size > .zero else { return false }
        return need.size ?? .zero > size
    }

    /// Bytes that `needs` still have to write to the disk.
    func committed(_ needs: [Need], on disk: Int) -> Int64 {
        needs.reduce(0) { isBeyond(disk, $1) ? $0 : min(Self.beyondAll, $0 + min($1.bytes, Self.beyondAll)) }
    }

    /// - Returns: the file system of a folder, and whether it must be asked for its free space before a download starts there.
    mutating func start(in folder: String, at now: Moment) -> (disk: Int, asks: Bool) {
        let disk = place(folder)
        let latest = max(disks[disk].readAt ?? .distantPast, disks[disk].askedAt ?? .distantPast)
        guard now - latest >= Self.freshFor, asked.insert(folder).inserted else { return (disk, false) }
        disks[disk].askedAt = now
        return (disk, true)
    }

    /// Bytes were written to the disk: it takes bytes again.
    mutating func wrote(_ count: Int64, on disk: Int) {
        disks[disk].written = min(Self.beyondAll, disks[disk].written + min(count, Self.beyondAll))
        disks[disk].stuckSince = nil
    }

    /// A whole file went through.
    mutating func wroteFile(on disk: Int) { disks[disk].full.reset() }

    mutating func wait(_ id: TransferID, on disk: Int) { disks[disk].waiting.insert(id) }

    /// A write found no space.
    ///
    /// - Parameter disk: of the transfer, if that is known.
    mutating func foundFull(_ id: TransferID, in folder: String, disk: Int?, at now: Moment) -> Int {
        let disk = disk ?? place(folder)
        wait(id, on: disk)
        disks[disk].full.begin(at: now)
        return disk
    }

    /// Takes the answer to a question.
    ///
    /// - Parameter reading: `nil`: it cannot be told.
    /// - Returns: the folder's file system, and the one that stood for it before when that was another; `nil` when nothing
    ///   is known of the folder.
    mutating func take(_ reading: DiskSpaceReading?, for folder: String, at now: Moment) -> (disk: Int, old: Int?)? {
        asked.remove(folder)
        guard let reading else { return byFolder[folder].map { ($0, nil) } }
        let (disk, old) = settle(folder, on: reading.device)
        disks[disk].reading = reading
        disks[disk].readAt = now
        disks[disk].written = 0
        return (disk, old)
    }

    /// The folder of these transfers lies on another disk than it stood for.
    mutating func moveWaiting(_ ids: Set<TransferID>, from old: Int, to new: Int) {
        disks[old].waiting.subtract(ids)
        disks[new].waiting.formUnion(ids)
        if let until = disks[old].full.until, !ids.isEmpty { disks[new].full.join(until) }
        disks[new].askedAt = disks[new].askedAt ?? disks[old].askedAt
    }

    /// Transfers that wait on the disk; some may have left since.
    func waiting(on disk: Int) -> Set<TransferID> { disks[disk].waiting }

    /// Those of all that write to the disk that move and do not fit any more: the last of the queue first.
    func excess(on disk: Int, of running: [Need]) -> [TransferID] {
        guard var free = disks[disk].free, committed(running, on: disk) > free else { return [] }
        var excess: [TransferID] = []
        for need in running.filter({ $0.bytes > 0 && !isBeyond(disk, $0) }).sorted(by: { $0.rank < $1.rank }) {
            if need.bytes <= free {
                free -= need.bytes
            } else if need.isMoving {
                excess.append(need.id)
            }
        }
        return excess
    }

    /// Takes out the waiting transfers that fit beside the bytes that others still write there, in the queue's order.
    mutating func release(
        on disk: Int, waiting: [Need], committed: Int64, at now: Moment
    ) -> [TransferID] {
        disks[disk].waiting = Set(waiting.map(\.id))
        guard disks[disk].full.ends(at: now), !waiting.isEmpty else { return [] }
        var left = disks[disk].free.map { $0 - committed }
        var released: [TransferID] = []
        for need in waiting.sorted(by: { $0.rank < $1.rank }) {
            if let space = left {
                guard space > 0 || need.size != nil && need.bytes == 0, need.bytes <= space else { continue }
                left = space - need.bytes
            }
            disks[disk].waiting.remove(need.id)
            released.append(need.id)
        }
        return released
    }

    /// Takes out what has waited for `timeout`, or without end, on disks where nothing moves.
    mutating func giveUp(after timeout: Duration?, at now: Moment) -> [TransferID] {
        var given: [TransferID] = []
        for disk in disks.indices where !disks[disk].waiting.isEmpty {
            guard let end = end(of: timeout, on: disk), end <= now else { continue }
            given += disks[disk].waiting.sorted()
            disks[disk].waiting = []
        }
        return given
    }

    /// Folders to ask for now; a disk to which a transfer writes is used.
    mutating func questions(at now: Moment, isUsed: (Int) -> Bool) -> [String] {
        guard waitingCount > 0 else { return [] }
        var folders: [String] = []
        for disk in disks.indices where !disks[disk].waiting.isEmpty {
            if disks[disk].stuckSince == nil, !isUsed(disk) { disks[disk].stuckSince = now }
            if let due = nextQuestion(to: disk), due <= now, asked.insert(disks[disk].folder).inserted {
                disks[disk].askedAt = now
                folders.append(disks[disk].folder)
            }
        }
        return folders
    }

    /// When `questions` or `giveUp` is due; `nil`: never.
    func nextWatch(timeout: Duration?) -> Moment? {
        guard waitingCount > 0 else { return nil }
        return disks.indices.lazy.filter { !disks[$0].waiting.isEmpty }
            .flatMap { [nextQuestion(to: $0), end(of: timeout, on: $0)].compactMap { $0 } }.min()
    }

    /// A folder in which transfers wait, to name; `nil`: none does.
    var waitingFolder: String? { waitingCount > 0 ? disks.first { !$0.waiting.isEmpty }?.folder : nil }

    /// Free bytes by the last reading, when they are too few for a file of known size.
    func shortage(for need: Need, on disk: Int) -> ByteCount? {
        guard let free = disks[disk].reading?.free, need.size != nil, need.bytes > free.bytes else { return nil }
        return free
    }

    private func end(of timeout: Duration?, on disk: Int) -> Moment? {
        guard let timeout, let since = disks[disk].stuckSince else { return nil }
        return since + timeout
    }

    /// `nil` while the last one is not answered.
    private func nextQuestion(to disk: Int) -> Moment? {
        guard !asked.contains(disks[disk].folder) else { return nil }
        return max(
            disks[disk].askedAt.map { $0 + FullDiskWait.recheckInterval } ?? .distantPast,
            disks[disk].full.until ?? .distantPast)
    }

    /// The file system of a folder; one of its own until an answer tells which it is.
    private mutating func place(_ folder: String) -> Int { byFolder[folder] ?? put(folder, on: Disk(folder: folder)) }

    private mutating func put(_ folder: String, on new: Disk) -> Int {
        if byFolder.count >= Self.mostFolders {
            // Questions are asked for one folder of each disk.
            byFolder = byFolder.filter { asked.contains($0.key) || disks[$0.value].folder == $0.key }
        }
        let disk = unused.popLast() ?? disks.count
        if disk == disks.count { disks.append(new) } else { disks[disk] = new }
        byFolder[folder] = disk
        return disk
    }

    /// - Returns: the place of the file system that the folder turned out to be on, and the one that stood for it before.
    private mutating func settle(_ folder: String, on device: UInt64) -> (disk: Int, old: Int?) {
        let before = place(folder)
        if disks[before].device == device { return (before, nil) }
        if let disk = disks.firstIndex(where: { $0.device == device }) {
            byFolder[folder] = disk
            if disks[before].device == nil { unused.append(before) }
            return (disk, before)
        }
        guard disks[before].device != nil else {
            disks[before].device = device
            return (before, nil)
        }
        return (put(folder, on: Disk(device: device, folder: folder)), before)
    }

    /// What is remembered.
    var counts: (disks: Int, folders: Int) { (disks.count, byFolder.count) }
}

extension Moment {
    /// Before anything that happens.
    fileprivate static let distantPast = Moment(nanoseconds: .min / 4)
}

/// The wait for a disk on which a write found no space: longer each time until a whole file went through, since a quota does
/// not show in the free space.
struct FullDiskWait: Hashable, Sendable {
    /// Nothing starts on the disk before a reading from this instant on; `nil`: it is not full.
    private(set) var until: Moment?
    /// How long the next wait is.
    private var next = first

    static let first = Duration.seconds(3)
    static let longest = Duration.seconds(60)
    /// From one question for the free space to the next while a transfer waits for the answer.
    static let recheckInterval = Duration.seconds(3)

    /// A write found no space. One that fails while the wait lasts does not make it longer.
    mutating func begin(at now: Moment) {
        guard until == nil else { return }
        until = now + next
        next = min(Self.longest, next * 2)
    }

    /// The wait is as long as that of another disk, which turned out to be this one.
    mutating func join(_ other: Moment) { until = max(other, until ?? other) }

    /// - Returns: whether the wait is over: then it ends.
    mutating func ends(at now: Moment) -> Bool {
        guard let until else { return true }
        guard until <= now else { return false }
        self.until = nil
        return true
    }

    /// A whole file went through: the next wait is a short one.
    mutating func reset() { next = Self.first }
}

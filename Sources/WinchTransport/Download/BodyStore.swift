import WinchModel

/// The bytes of one file on this machine while they come: in memory as long as the body is small and quick, else in a
/// part file. Used on the loop's thread only.
final class BodyStore {
    private enum Place {
        case nowhere
        /// A small body that needs no part yet: most come whole within a tick. So many bytes are taken from the budget.
        case memory([UInt8], budgeted: Int)
        case part(PartWriter)
    }

    private var place = Place.nowhere
    private let finisher: Finisher
    /// Of the part (`PartFile.seam`).
    private let seam: Int64
    private var lastCheckpoint: Moment
    /// The finisher syncs the bytes of a checkpoint: there is one at a time.
    private var hasCheckpoint = false
    private var nextNameCheck = Moment(nanoseconds: 0)

    /// Once a second: that a name was removed shows nowhere else until the end.
    private static let nameCheckInterval: Duration = .seconds(1)
    /// 10 s: no more than comes in that time is lost with the power.
    private static let checkpointInterval: Duration = .seconds(10)

    init(finisher: Finisher, seam: Int64 = 0, at now: Moment) {
        self.finisher = finisher
        self.seam = seam
        lastCheckpoint = now
    }

    deinit { dropMemory() }

    var part: PartFile? { writer?.part }

    private var writer: PartWriter? {
        if case .part(let writer) = place { writer } else { nil }
    }

    var isInMemory: Bool {
        if case .memory = place { true } else { false }
    }

    var isOpen: Bool { part != nil || isInMemory }

    /// Bytes that have come, in memory, gathered or on disk.
    var position: Int64 {
        switch place {
        case .nowhere: 0
        case .memory(let bytes, _): Int64(bytes.count)
        case .part(let writer): writer.position
        }
    }

    /// Where the next byte goes that is on disk; 0 without a part.
    var written: Int64 { writer?.written ?? 0 }

    var durable: ByteRanges { part?.durable.ranges ?? ByteRanges() }
}

// MARK: - Where the bytes go

extension BodyStore {
    /// The bytes go into this part, behind those that it has.
    func use(_ part: PartFile) {
        dropMemory()
        // One of the part before ends without a word to this one.
        hasCheckpoint = false
        part.seam = seam
        place = .part(PartWriter(part, at: part.written))
    }

    /// The bytes stay in memory, if the budget allows so many.
    func useMemory(for size: Int64) -> Bool {
        dropMemory()
        guard size <= ContentBudget.largestBody, finisher.budget.take(Int(size)) else { return false }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Int(size))
        place = .memory(bytes, budgeted: Int(size))
        return true
    }

    /// The part stays as it is, and other processes may open it.
    func release() {
        part?.release()
        if part != nil { place = .nowhere }
    }

    /// Removes the part's name.
    ///
    /// - Returns: the file, which may take long to close; `nil`: there was no part, or it is not known to be ours.
    func remove() -> Descriptor? {
        dropMemory()
        guard let part else { return nil }
        place = .nowhere
        guard part.belongsToTransfer else {
            part.release()
            return nil
        }
        part.unlink()
        return part.file
    }

    func dropMemory() {
        guard case .memory(_, let budgeted) = place else { return }
        place = .nowhere
        finisher.budget.give(budgeted)
    }

    /// A small body that has begun, until a part is used; `nil`: there is none.
    var memory: [UInt8]? {
        if case .memory(let bytes, _) = place, !bytes.isEmpty { bytes } else { nil }
    }

    /// The complete body, for the finisher, which gives the budget back.
    func takeComplete(size: Int64) -> FinishBody {
        switch place {
        case .nowhere: return .content([])
        case .memory(let bytes, _):
            place = .nowhere
            return .content(bytes)
        case .part(let writer):
            writer.part.durable.end()
            let part = writer.part
            // Of a sync that runs or has failed only this descriptor tells.
            let mayClose = size <= FinishJob.smallest && !hasCheckpoint && part.file.syncError == 0
            return .part(part.name, mayClose ? nil : part.file, part.identity)
        }
    }
}

// MARK: - Writing

extension BodyStore {
    /// Takes the next bytes of the body.
    ///
    /// - Parameter end: of the body; `nil`: only the connection tells.
    func append(_ bytes: UnsafeRawBufferPointer, end: Int64?) throws(TransferFailure) {
        switch place {
        case .nowhere: throw .other("no part file")
        case .memory(var content, let budgeted):
            // The only reference to the bytes, so that they are not copied.
            place = .nowhere
            content.append(contentsOf: bytes)
            place = .memory(content, budgeted: budgeted)
        case .part(let writer):
            try writer.append(bytes, isWhole: writer.position + Int64(bytes.count) == end)
            finisher.writeBack(writer)
        }
    }

    func append(_ content: [UInt8]) throws(TransferFailure) { try writer?.append(content) }

    /// Puts on disk the bytes so far. After an error the part still says what is there.
    func flush() throws(TransferFailure) {
        try writer?.flush()
    }

    /// The next bytes go to the first gap; those behind it stay until they come once more.
    func fillGap() throws(TransferFailure) {
        guard let writer else { return }
        writer.move(to: writer.part.written)
        try writer.part.cut(to: writer.part.held.end)
    }

    /// The body has ended at `size`: bytes beyond it are of no file.
    func end(at size: Int64) throws(TransferFailure) {
        if let part, part.length > size { try part.cut(to: size) }
    }

    /// Keeps the first `length` bytes; the next ones go behind them.
    func cut(to length: Int64) throws(TransferFailure) {
        guard let writer else { return }
        writer.move(to: min(length, writer.part.written))
        try writer.part.cut(to: length)
    }
}

// MARK: - The disk

extension BodyStore {
    /// Bytes that are to survive a power loss from now on, if it is time for it.
    func dueCheckpoint(
        of request: ConnectionRequest, for client: any FileServicesClient, at now: Moment
    ) -> Checkpoint? {
        guard let part, !part.durable.contains(part.held), !hasCheckpoint,
            now - lastCheckpoint >= Self.checkpointInterval
        else { return nil }
        (hasCheckpoint, lastCheckpoint) = (true, now)
        return Checkpoint(
            connection: request.connection, client: client, file: part.file, durable: part.durable,
            ranges: part.held, age: part.durable.age)
    }

    /// The finisher has tried to sync the bytes of a checkpoint.
    ///
    /// - Returns: bytes that survive a power loss; `nil`: it is not known.
    func ended(_ checkpoint: Checkpoint) -> ByteRanges? {
        guard let part, part.durable === checkpoint.durable else { return nil }
        hasCheckpoint = false
        return part.durable.contains(checkpoint.ranges) ? checkpoint.ranges : nil
    }

    /// Looks once a second whether the part and its folder still have their names, and notes on the part which of its bytes
    /// are held: for each connection and tick that would be a system call on the loop's thread.
    ///
    /// - Returns: why going on makes no sense. There is no part then: nothing of it can be kept.
    func checkNames(at now: Moment) -> TransferFailure? {
        guard now >= nextNameCheck else { return nil }
        nextNameCheck = now + Self.nameCheckInterval
        guard let part else { return nil }
        guard !part.hasItsName else {
            part.noteHeld()
            return nil
        }
        place = .nowhere
        let words = part.file.isGone ? "removed" : "moved or replaced"
        return .readWrite(
            part.folder.isGone ? part.folder.path : part.path, reason: "\(words) during the download")
    }
}

import WinchBatch
import WinchModel

/// One file that is being fetched: where it goes, its bytes so far, its hashes and its version. Used on the loop's thread
/// only.
final class Download {
    private let request: ConnectionRequest
    /// Hears of what the file services did for this download.
    let inbox: OrderInbox
    let files: FileServices
    /// `nil` until its folder is open.
    var target: DownloadTarget?
    let body: BodyStore
    let hasher: BodyHasher
    var version = FileVersion()
    /// A part was found under the server's name for the file.
    var hasAdopted = false

    /// - Parameters:
    ///   - request: of the first connection.
    ///   - listedChecksums: for files that servers give their names.
    init(
        _ request: ConnectionRequest, inbox: OrderInbox, files: FileServices, listedChecksums: ChecksumList,
        at now: Moment
    ) {
        self.request = request
        self.inbox = inbox
        self.files = files
        body = BodyStore(finisher: files.finisher, at: now)
        hasher = BodyHasher(request, listedChecksums: listedChecksums, finisher: files.finisher)
    }

    /// What the file says of itself, beside its bytes.
    var attributes: PartAttributes {
        PartAttributes(url: request.url.redacted, total: version.total, validator: version.validator)
    }
}

// MARK: - What is kept

extension Download {
    /// What the next attempt needs to go on from here; `nil` when nothing is on disk.
    var kept: ResumePoint? {
        guard let target, let part = body.part, !part.held.isEmpty else { return untouched }
        return resumePoint(at: target, onDisk: part.held)
    }

    /// The part was not even opened: it is as it was.
    private var untouched: ResumePoint? {
        body.part == nil && (target == nil || body.isHeldElsewhere) ? request.resume : nil
    }

    /// - Parameter onDisk: bytes that are, or will be, on disk.
    func resumePoint(at target: DownloadTarget, onDisk: RangeSet<Int64>) -> ResumePoint {
        var point = ResumePoint(
            partPath: target.folder.below + (body.part?.name ?? target.name + ".part"), targetPath: target.path,
            total: version.total.map { ByteCount(bytes: $0) }, validator: version.validator)
        point.onDisk = onDisk
        point.durable = body.durable
        point.mark = body.part.flatMap { FileIdentity($0.file) }
        return point
    }
}

// MARK: - The part

extension Download {
    /// Puts a small body that has not come within a tick into a part.
    func spillToPart() throws(TransferFailure) {
        guard let bytes = body.takeMemory() else { return }
        try createPart()
        try body.append(bytes)
    }

    /// Makes a new part, which takes the bytes from now on.
    func createPart() throws(TransferFailure) {
        guard var target else { throw .other("no folder") }
        defer { self.target = target }
        body.use(try target.createPart(attributes))
    }

    /// Closes and removes the part.
    ///
    /// - Returns: the file without a name, which may take long to close; `nil`: there is none.
    func discard() -> Descriptor? {
        hasher.giveUp()
        return body.remove()
    }
}

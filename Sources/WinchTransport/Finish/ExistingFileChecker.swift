import DequeModule
import Glibc
import Synchronization
import WinchModel

/// Hashes files that are there already, and pieces of others, a few at a time, on threads that live as long as there are some.
final class ExistingFileChecker: Sendable {
    /// Is told whether there is a thread to read on.
    private typealias Task = @Sendable (_ canRead: Bool) -> Void

    private struct Line {
        var tasks = Deque<Task>()
        var threads = 0
    }

    private let line = Mutex(Line())
    private let threads: ThreadGroup

    /// As many as transfers run at a time by default: a small file need not wait for a large one's hash, and more threads
    /// only make a disk seek.
    private static let mostThreads = 4

    /// - Parameter threads: the reading threads join them.
    init(in threads: ThreadGroup) {
        self.threads = threads
    }

    /// - Parameter client: hears whether it is the file that is wanted.
    func check(_ file: ExistingFile, for client: any FileServicesClient) {
        add { canRead in
            var lastReport = SystemClock.moment()
            do throws(TransferFailure) {
                guard canRead else { throw .other("cannot create a thread") }
                try file.verify { hashed in
                    let now = SystemClock.moment()
                    guard now - lastReport >= Finisher.reportInterval else { return }
                    lastReport = now
                    client.hashed(FinishProgress(connection: file.connection, hashed: hashed, size: file.size))
                }
                client.checked(file, failure: nil)
            } catch {
                client.checked(file, failure: error)
            }
        }
    }

    /// The client of the piece hears of the result.
    func check(_ piece: PieceCheck) {
        add { canRead in
            do throws(TransferFailure) {
                guard canRead else { throw .other("cannot create a thread") }
                try piece.verify()
                piece.client.checked(piece, failure: nil)
            } catch {
                piece.client.checked(piece, failure: error)
            }
        }
    }

    private func add(_ task: @escaping Task) {
        let needsThread = line.withLock { line in
            line.tasks.append(task)
            guard line.threads < Self.mostThreads else { return false }
            line.threads += 1
            return true
        }
        guard needsThread, !threads.start({ self.carryOut(canRead: true) }) else { return }
        // Other threads that run take the rest.
        carryOut(canRead: false)
    }

    private func carryOut(canRead: Bool) {
        while let task = next() { task(canRead) }
    }

    private func next() -> Task? {
        line.withLock { line in
            guard let task = line.tasks.popFirst() else {
                line.threads -= 1
                return nil
            }
            return task
        }
    }
}

/// A file that has the wished name already. When there are hashes to hold, they tell whether this is the file that is
/// wanted, before anything is asked of a server.
struct ExistingFile: Sendable {
    /// It is opened unless the file is right.
    let connection: ConnectionID
    let path: String
    let size: Int64
    private let folder: TargetFolder
    private let name: String
    private let file: Descriptor
    private let demands: [ExpectedChecksum]
    private let pieces: PieceHashes?
    private let claim = FinishClaim()

    /// The file of the name that the transfer has before its server is asked.
    ///
    /// - Returns: `nil` when there is nothing to check, or nothing to check it by.
    init?(_ request: ConnectionRequest, in folders: FolderCache) {
        let demands = ExpectedChecksum.own(
            request.settings.value, listed: request.listedChecksum, from: request.listedOrigin)
        guard !demands.isEmpty || request.pieces != nil, request.resume == nil,
            let folder = try? folders.folder(
                request.folder, named: request.namedParts, parts: request.name?.folders ?? [])
        else { return nil }
        self.init(request, folder.fitting(request.preferredName), in: folder, demands)
    }

    /// The file of any name. One that is to be skipped may be a link, and is the file that this leads to.
    init?(
        _ request: ConnectionRequest, _ name: String, in folder: TargetFolder, _ demands: [ExpectedChecksum]
    ) {
        let mayBeLink = request.settings.value.onConflict == .skip
        guard !demands.isEmpty || request.pieces != nil, let entry = folder.status(of: name),
            entry.isFile || entry.isLink && mayBeLink,
            let file = folder.opened(name, followingLink: mayBeLink), let status = file.status, status.isFile
        else { return nil }
        (connection, path, size) = (request.connection, folder.below + name, Int64(status.st_size))
        (self.folder, self.name, self.file, self.demands, pieces) = (folder, name, file, demands, request.pieces)
    }

    func giveUp() { claim.interrupt() }

    /// It is the file that is wanted.
    ///
    /// - Returns: as `PartClaim.removeParts`.
    func removeParts(of urls: [TransferURL]) -> [Descriptor] {
        PartClaim(urls).removeParts(of: name, in: folder)
    }

    /// Reads all of it: not for the loop's thread.
    ///
    /// - Parameter progress: bytes read so far, after every few megabytes.
    /// - Throws: `.existingFileDiffers`, or `.readWrite` when it cannot be read.
    func verify(progress: (Int64) -> Void) throws(TransferFailure) {
        do throws(TransferFailure) {
            guard demands.isEmpty, let pieces else {
                return try complete(PartHasher(demands, file: file, path: path), to: size, progress)
            }
            try verify(pieces, progress)
        } catch {
            if case .checksum = error { throw differs }
            throw error
        }
    }

    private var differs: TransferFailure { .existingFileDiffers(folder.path(of: name)) }

    private func verify(_ hashes: PieceHashes, _ progress: (Int64) -> Void) throws(TransferFailure) {
        guard let pieces = PieceVerifier(hashes, total: size, body: 0) else { throw differs }
        for index in 0..<hashes.count {
            let range = pieces.range(of: index)
            progress(range.lowerBound)
            let hasher = PartHasher([pieces.expected(index)], file: file, path: path, from: range.lowerBound)
            try complete(hasher, to: range.upperBound) { _ in }
        }
    }

    private func complete(
        _ hasher: PartHasher, to end: Int64, _ progress: (Int64) -> Void
    ) throws(TransferFailure) {
        let isDone = try hasher.complete(size: end, isWanted: { !claim.isInterrupted }, progress: progress)
        if !isDone { throw .other("stopped") }
    }
}

/// A piece of a file whose bytes are on disk and whose hash is known.
struct PieceCheck: Sendable {
    let id: TransferID
    /// Of the `PieceVerifier` that asked: a file that was begun anew has other bytes.
    let body: Int
    let client: any FileServicesClient
    let file: Descriptor
    let path: String
    let index: Int
    let range: Range<Int64>
    let expected: ExpectedChecksum

    /// Reads the piece: not for the loop's thread.
    ///
    /// - Throws: as `PartHasher.complete`.
    func verify() throws(TransferFailure) {
        try PartHasher([expected], file: file, path: path, from: range.lowerBound).complete(size: range.upperBound)
    }
}

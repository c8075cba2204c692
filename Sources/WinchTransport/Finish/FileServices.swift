import Synchronization
package import WinchModel
import WinchSystem

/// What all transports of one engine share of this machine's disk: the names that were given to files, the folders that
/// are open, and the threads that check and finish files. With two registries two files would get the same name.
///
/// One for each engine, which is made before its transports and ended after them: names are held by `TransferID`.
package final class FileServices: Sendable {
    let names = NameRegistry()
    let folders = FolderCache()
    let finisher: Finisher
    let checker: ExistingFileChecker
    /// Of the finisher and the checker.
    private let threads = ThreadGroup()

    /// - Throws: `.other` when the system gives no threads.
    package init() throws(TransferFailure) {
        finisher = Finisher(names: names)
        checker = ExistingFileChecker(in: threads)
        guard finisher.start(in: threads) else { throw .other("cannot create a thread") }
    }

    deinit { finisher.end() }

    /// Ends the threads of the finisher and the checker, since `exit` frees what OpenSSL works with. Call it after the
    /// transports have ended: what they hand in later is not finished.
    ///
    /// - Returns: false when a thread is still at work after `span`: then the process must not end by `exit`.
    package func end(within span: Duration) -> Bool {
        finisher.end()
        return threads.join(within: span)
    }

    /// Asks on a thread of its own: a file server that is away may hold up the answer.
    ///
    /// - Returns: as `DiskSpaceCheck.read`; `nil` also when the system gives no thread.
    func space(in folder: String) async -> DiskSpaceReading? {
        await withCheckedContinuation { continuation in
            let isAsking = Threads.start { continuation.resume(returning: DiskSpaceCheck.read(folder)) }
            if !isAsking { continuation.resume(returning: nil) }
        }
    }
}

/// The transport that gave the file services some work, and to which the results go. Called on the threads of the file
/// services; must not block.
protocol FileServicesClient: AnyObject, Sendable {
    func finished(_ results: [FinishResult])
    /// The disk was asked to keep what the checkpoint covers, and `durable` says with what result.
    func wrote(_ checkpoint: Checkpoint)
    /// How far the hash of a large file is; ten times a second at most for each file.
    func hashed(_ progress: FinishProgress)
    /// - Parameter failure: `nil`: it is the file that is wanted.
    func checked(_ file: ExistingFile, failure: TransferFailure?)
    /// - Parameter failure: `nil`: the piece has the right hash.
    func checked(_ piece: PieceCheck, failure: TransferFailure?)
}

/// The bytes of small bodies that may be in memory on their way to the finisher: a slow disk slows the network down
/// instead of filling the memory.
final class ContentBudget: Sendable {
    private let held = Atomic<Int>(0)

    /// Bodies up to this are handed over in memory: making a file costs more than its bytes, and is better done beside
    /// the network.
    static let largestBody = Int64(64 << 10)
    private static let most = 6 << 20

    /// Takes so many bytes; `give` must follow.
    ///
    /// - Returns: false when the budget does not allow them now; nothing is taken then.
    func take(_ count: Int) -> Bool {
        if held.add(count, ordering: .relaxed).newValue <= Self.most { return true }
        give(count)
        return false
    }

    func give(_ count: Int) { held.subtract(count, ordering: .relaxed) }
}

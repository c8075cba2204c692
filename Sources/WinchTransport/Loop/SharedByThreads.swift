import Synchronization
import WinchModel

/// What the threads of one transport have in common.
final class SharedByThreads: Sendable {
    /// Which thread has a transfer. Takes the orders and the reports of all of them.
    let choice: Mutex<ThreadChoice>
    let streams = OpenStreams()
    let sshHome = SSHHome()
    let cookies = TransferCookies()
    let knownFolders = KnownFolders()
    let copiedFolders = CopiedFolders()
    /// What HEAD said of transfers that are not finished. The thread that asked may be another than the one that downloads.
    private let probed = Mutex<[TransferID: ProbedFile]>([:])
    private let busyThreads = Atomic<Int>(0)

    init(count: Int) { choice = Mutex(ThreadChoice(count: count)) }

    func note(_ file: ProbedFile, of id: TransferID) {
        probed.withLock { files in
            // Those that are never downloaded stay. It is of use against pages in place of files, and can be missed.
            if files.count >= Self.mostProbed { files = [:] }
            files[id] = file
        }
    }

    /// A few hundred KiB.
    private static let mostProbed = 10_000

    func probedFile(of id: TransferID) -> ProbedFile? { probed.withLock { $0[id] } }

    /// The transfer is finished or its part removed: what was kept for another attempt is not needed.
    func forget(_ id: TransferID) {
        probed.withLock { _ = $0.removeValue(forKey: id) }
        cookies.forget(id)
    }

    /// A thread has opened its first connection, or closed its last one.
    func note(isBusy: Bool) { busyThreads.add(isBusy ? 1 : -1, ordering: .relaxed) }

    var isIdle: Bool { busyThreads.load(ordering: .relaxed) == 0 }
}

/// How many listings have repeated a folder above them, by `ListingReader.copied`.
final class CopiedFolders: Sendable {
    private let counts = Mutex<[UInt64: Int]>([:])

    /// 1 MiB. Beyond it counting begins anew: a loop ends later then.
    private static let most = 30_000

    /// Counts one more.
    ///
    /// - Returns: how many there were before.
    func add(_ key: UInt64) -> Int {
        counts.withLock { counts in
            if counts.count >= Self.most { counts = [:] }
            let before = counts[key] ?? 0
            counts[key] = before + 1
            return before
        }
    }
}

/// The cookies of transfers between two of their requests. libcurl keeps those of one request and its redirects, and sends them
/// by their own rules of domain and path.
///
/// A transfer begins with those of its cookie file, or with none, and no other transfer gets what it was given.
final class TransferCookies: Sendable {
    private let lines = Mutex<[TransferID: [String]]>([:])

    /// Transfers with cookies at a time. Of those that failed or were removed nothing is heard: beyond this all begin anew.
    private static let most = 10_000

    /// Each a line of a cookie file.
    func cookies(of id: TransferID) -> [String] { lines.withLock { $0[id] ?? [] } }

    func keep(_ cookies: [String], of id: TransferID) {
        lines.withLock {
            if $0.count >= Self.most { $0.removeAll() }
            $0[id] = cookies.isEmpty ? nil : cookies
        }
    }

    func forget(_ id: TransferID) { lines.withLock { _ = $0.removeValue(forKey: id) } }
}

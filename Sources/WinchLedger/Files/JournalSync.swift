import Glibc
import Synchronization
import WinchModel

/// Makes committed changes survive a power loss, with one sync for many commits.
///
/// SQLite writes its write-ahead log without waiting for the disk (`synchronous=NORMAL`); after a power loss it reads the
/// part of the log that is intact. One `fdatasync` of the log makes every commit so far durable. SQLite holds no locks on
/// this file, so opening it a second time is allowed.
///
/// - Source: https://www.sqlite.org/wal.html, https://www.sqlite.org/howtocorrupt.html (2.2).
final class JournalSync: Sendable {
    private let files: LedgerFiles
    private let descriptor = Mutex<Int32>(-1)

    init(_ files: LedgerFiles) {
        self.files = files
    }

    deinit {
        descriptor.withLock { if $0 >= 0 { close($0) } }
    }

    /// The log keeps its name while any connection is open, so it is opened once.
    func sync() {
        descriptor.withLock { descriptor in
            if descriptor < 0 {
                descriptor = open(files.journal.cBytes, O_RDONLY | O_CLOEXEC)
                if descriptor >= 0 { files.syncFolder() }
            }
            if descriptor >= 0 { fdatasync(descriptor) }
        }
    }
}

import Synchronization
import WinchCore

/// Reads files that are there already, a few at a time, on threads that live while there are some.
final class FileChecker: Sendable {
    private struct Line {
        var files: [ExistingFile] = []
        var threads = 0
    }

    private let line = Mutex(Line())
    private let threads: ThreadGroup
    private let deliver: @Sendable (ExistingFile, Bool) -> Void
    private let tell: @Sendable (FinishProgress) -> Void

    /// As many as transfers that are at it by default: a small file need not wait for a large one's hash, and more only
    /// make a disk seek.
    private static let mostThreads = 4

    /// Both closures are called on the reading threads.
    ///
    /// - Parameters:
    ///   - threads: the reading threads join them.
    ///   - deliver: whether it is the file that is wanted.
    ///   - tell: how far a large file's hash is; ten times a second at most.
    init(
        in threads: ThreadGroup, deliver: @escaping @Sendable (ExistingFile, Bool) -> Void,
        tell: @escaping @Sendable (FinishProgress) -> Void
    ) {
        self.threads = threads
        self.deliver = deliver
        self.tell = tell
    }

    func check(_ file: ExistingFile) {
        let needsThread = line.withLock { line in
            line.files.append(file)
            guard line.threads < Self.mostThreads else { return false }
            line.threads += 1
            return true
        }
        guard needsThread, !threads.start({ self.read() }) else { return }
        // Without a thread it cannot be known: then it is fetched and compared. Other threads that run take the rest.
        while let file = next() { deliver(file, false) }
    }

    private func read() {
        while let file = next() {
            var told = SystemClock.moment()
            let isRight = file.isRight { hashed in
                let now = SystemClock.moment()
                guard now - told >= Finisher.tellSpan else { return }
                told = now
                tell(FinishProgress(id: file.id, stamp: file.stamp, hashed: hashed, size: file.size))
            }
            deliver(file, isRight)
        }
    }

    private func next() -> ExistingFile? {
        line.withLock { line in
            guard !line.files.isEmpty else {
                line.threads -= 1
                return nil
            }
            return line.files.removeFirst()
        }
    }
}

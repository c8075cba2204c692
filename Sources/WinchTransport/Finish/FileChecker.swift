import Synchronization
import WinchModel

/// Hashes files that are there already, a few at a time, on threads that live as long as there are some.
final class FileChecker: Sendable {
    private struct Line {
        var files: [(file: ExistingFile, client: any FileServicesClient)] = []
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
        let needsThread = line.withLock { line in
            line.files.append((file, client))
            guard line.threads < Self.mostThreads else { return false }
            line.threads += 1
            return true
        }
        guard needsThread, !threads.start({ self.read() }) else { return }
        // Without a thread it cannot be known: then it is fetched and compared. Other threads that run take the rest.
        while let (file, client) = next() { client.checked(file, isWanted: false) }
    }

    private func read() {
        while let (file, client) = next() {
            var lastReport = SystemClock.moment()
            let isRight = file.isRight { hashed in
                let now = SystemClock.moment()
                guard now - lastReport >= Finisher.reportInterval else { return }
                lastReport = now
                client.hashed(FinishProgress(connection: file.connection, hashed: hashed, size: file.size))
            }
            client.checked(file, isWanted: isRight)
        }
    }

    private func next() -> (file: ExistingFile, client: any FileServicesClient)? {
        line.withLock { line in
            guard !line.files.isEmpty else {
                line.threads -= 1
                return nil
            }
            return line.files.removeFirst()
        }
    }
}

import Synchronization
import WinchCore

/// Reads files that are there already, one after the other, on a thread that lives while there is one.
final class FileChecker: Sendable {
    private struct Line {
        var files: [ExistingFile] = []
        var isBeingRead = false
    }

    private let line = Mutex(Line())
    private let deliver: @Sendable (ExistingFile, Bool) -> Void

    /// - Parameter deliver: whether it is the file that is wanted; on the reading thread.
    init(deliver: @escaping @Sendable (ExistingFile, Bool) -> Void) {
        self.deliver = deliver
    }

    func check(_ file: ExistingFile) {
        let isFirst = line.withLock { line in
            line.files.append(file)
            defer { line.isBeingRead = true }
            return !line.isBeingRead
        }
        guard isFirst, !Threads.start({ self.read() }) else { return }
        // Without a thread nobody can know: then it is fetched and compared.
        while let file = next() { deliver(file, false) }
    }

    private func read() {
        while let file = next() { deliver(file, file.isWanted()) }
    }

    private func next() -> ExistingFile? {
        line.withLock { line in
            guard !line.files.isEmpty else {
                line.isBeingRead = false
                return nil
            }
            return line.files.removeFirst()
        }
    }
}

import Dispatch
import Glibc

/// The log's file: lines are appended in the order of the calls, on a queue of its own, so that nobody waits for a disk.
final class LogSink: Sendable {
    private let descriptor: Int32
    private let queue = DispatchQueue(label: "winch.log")

    /// Opens the file for appending; it is made for its owner alone, since names of files are nobody else's business.
    ///
    /// - Throws: the system's words for what went wrong.
    init(path: String) throws(InputFile.Failure) {
        descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY, 0o600)
        guard descriptor >= 0 else { throw InputFile.Failure(message: "\(path): \(String(cString: strerror(errno)))") }
    }

    deinit { Glibc.close(descriptor) }

    /// Does something in the order of the lines.
    func async(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

    /// One line in one write, so that two programs may share the file. Called on the queue.
    func write(_ line: String) {
        var bytes = Array((line + "\n").utf8)[...]
        while !bytes.isEmpty {
            let written = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if written > 0 {
                bytes = bytes.dropFirst(written)
            } else if errno != EINTR {
                // A full disk must not end a download that goes to another.
                return
            }
        }
    }

    /// Returns when all that was asked for is written.
    func flush() { queue.sync {} }
}

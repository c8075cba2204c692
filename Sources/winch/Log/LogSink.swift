import Dispatch
import Glibc

/// The log file. Lines are appended in the order of the calls, on a dispatch queue of its own, so that no other thread waits
/// for the disk.
final class LogSink: Sendable {
    private let descriptor: Int32
    private let queue = DispatchQueue(label: "winch.log")

    /// Opens the file for appending. A new file gets mode 0600, because it lists the names of downloaded files.
    ///
    /// - Throws: the system's description of the error.
    init(path: String) throws(InputFile.Failure) {
        descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY, 0o600)
        guard descriptor >= 0 else { throw InputFile.Failure(message: "\(path): \(String(cString: strerror(errno)))") }
    }

    deinit { Glibc.close(descriptor) }

    /// Runs `work` on the queue, after all earlier calls.
    func async(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

    /// Writes a line by one system call, so that lines of several processes do not mix. Must be called on the queue.
    func write(_ line: String) {
        var bytes = Array((line + "\n").utf8)[...]
        while !bytes.isEmpty {
            let written = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if written > 0 {
                bytes = bytes.dropFirst(written)
            } else if errno != EINTR {
                // The line is dropped: a full disk of the log must not stop downloads to other disks.
                return
            }
        }
    }

    /// Returns when all earlier calls have been carried out.
    func flush() { queue.sync {} }
}

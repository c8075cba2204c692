import Dispatch
import Glibc
import Synchronization
import WinchModel
import WinchTransport

/// The log file. Lines are appended in the order of the calls, on a dispatch queue of its own, so that no other thread waits
/// for the disk.
final class LogFileWriter: Sendable {
    private let descriptor: Int32
    private let queue = DispatchQueue(label: "winch.log")
    private let path: String
    private let rotation: Rotation?
    /// The errno of the last line that could not be written; `nil`: all were.
    private let loss = Mutex<Int32?>(nil)

    /// When a file has grown too long, it gets the suffix `.1`, in place of the one before, and a new one is begun.
    struct Rotation: Sendable {
        /// In bytes.
        let most: Int
        /// Standard output and standard error lead to the file as well, and follow it.
        let hasStandardStreams: Bool
    }

    /// Opens the file for appending. A new file gets mode 0600, because it lists the names of downloaded files.
    ///
    /// - Throws: the system's description of the error.
    init(path: String, _ rotation: Rotation? = nil) throws(InputFile.Failure) {
        (self.path, self.rotation) = (path, rotation)
        descriptor = Self.open(path)
        guard descriptor >= 0 else { throw InputFile.Failure(message: "\(path): \(String(cString: strerror(errno)))") }
    }

    deinit { Glibc.close(descriptor) }

    private static func open(_ path: String) -> Int32 {
        Glibc.open(path.cBytes, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY, 0o600)
    }

    /// Begins a new file if this one is too long. Lines go on into the old one when that is not possible.
    private func rotate() {
        guard let rotation else { return }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_size > rotation.most,
            rename(path.cBytes, (path + ".1").cBytes) == 0
        else {
            return
        }
        let new = Self.open(path)
        guard new >= 0 else { return }
        dup2(new, descriptor)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        if rotation.hasStandardStreams {
            dup2(new, STDOUT_FILENO)
            dup2(new, STDERR_FILENO)
        }
        Glibc.close(new)
    }

    /// Runs `work` on the queue, after all earlier calls.
    func async(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

    /// Writes a line by one system call, so that lines of several processes do not mix. Must be called on the queue.
    func write(_ line: String) {
        rotate()
        var bytes = Array((line + "\n").utf8)[...]
        while !bytes.isEmpty {
            let written = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if written > 0 {
                bytes = bytes.dropFirst(written)
            } else if errno != EINTR {
                // The line is dropped: a full disk of the log must not stop downloads to other disks.
                let code = errno
                return loss.withLock { $0 = code }
            }
        }
    }

    /// Returns when all earlier calls have been carried out.
    ///
    /// - Returns: the message about lines that are missing; `nil`: none is.
    func flush() -> String? {
        queue.sync {}
        return loss.withLock { $0 }.map { "\(path): lines are missing: \(String(cString: strerror($0)))" }
    }
}

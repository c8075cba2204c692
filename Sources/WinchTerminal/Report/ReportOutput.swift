import Glibc

/// Writes lines to standard output without blocking: lines are kept until the reader takes them.
final class ReportOutput {
    let descriptor: Int32
    private let isOwned: Bool
    private var unsent: ArraySlice<UInt8> = []
    /// The error number of a failed write, after which nothing is written; EPIPE: the reader has closed its end.
    private(set) var failure: Int32?
    var isClosed: Bool { failure != nil }

    /// 64 KiB, the capacity of a pipe: while this much is unsent, `hasRoom` is false and no updates are taken.
    private static let enough = 64 << 10

    /// A pipe or terminal is opened anew, so that `O_NONBLOCK` does not affect other processes that share it; a write
    /// to a file never blocks.
    init(_ shared: Int32) {
        var status = stat()
        let kind = fstat(shared, &status) == 0 ? status.st_mode & S_IFMT : 0
        let canWait = kind == S_IFIFO || kind == S_IFCHR
        let reopened = canWait ? open("/proc/self/fd/\(shared)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC) : -1
        isOwned = reopened >= 0
        descriptor = isOwned ? reopened : shared
    }

    deinit {
        if isOwned { close(descriptor) }
    }

    var hasUnsent: Bool { !unsent.isEmpty }
    var hasRoom: Bool { unsent.count < Self.enough }

    func write(_ lines: [String]) {
        guard !lines.isEmpty, !isClosed else { return }
        var bytes = Array(unsent)
        for line in lines { bytes += Array(line.utf8) + [UInt8(ascii: "\n")] }
        unsent = bytes[...]
        flush()
    }

    /// Writes what the reader takes now.
    func flush() {
        while !unsent.isEmpty, !isClosed {
            let written = unsent.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if written > 0 {
                unsent = unsent.dropFirst(written)
            } else if errno == EAGAIN {
                return
            } else if errno != EINTR {
                failure = errno
            }
        }
        if isClosed { unsent = [] }
    }
}

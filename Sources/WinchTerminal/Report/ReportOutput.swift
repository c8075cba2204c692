import Glibc

/// Standard output as lines: written when the reader takes them, kept until then.
final class ReportOutput {
    let descriptor: Int32
    private let isOwned: Bool
    private var unsent: ArraySlice<UInt8> = []
    /// Why it takes no more; EPIPE: nobody reads.
    private(set) var failure: Int32?
    var isClosed: Bool { failure != nil }

    /// A line more, when this much is waiting, has to wait itself: 64 KiB is what a pipe holds.
    private static let enough = 64 << 10

    /// A pipe or terminal is opened anew, so that not waiting on it concerns nobody who shares it; a file never waits.
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

    /// Sends what the reader takes now.
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

import FoundationEssentials
import Glibc

/// How many simultaneous transfers the limit of open file descriptors (`ulimit -n`) allows.
///
/// Exceeding it would be fatal: libdispatch opens files in /proc from time to time, and aborts the process when no descriptor
/// is free.
enum DescriptorLimit {
    /// Descriptors for the terminal, the ledger, folders and the libraries.
    private static let reserve = 20
    /// Descriptors for each transfer: its connection, its part file, the file of an earlier transfer that is being finished, and
    /// an idle connection that is kept for reuse.
    private static let perTransfer = 4

    /// The number of free descriptors below which not even one transfer is safe.
    private static let least = 40

    /// The error message when the limit is too low even after raising it to the hard limit; `nil`: it is high enough.
    static var fault: String? {
        let free = free
        guard free < least else { return nil }
        return "only \(free) more files may be opened; winch needs \(least): ulimit -n \(raised - free + least)"
    }

    /// How many simultaneous transfers the raised limit allows; at least one.
    static func transfers() -> Int { max(1, (free - reserve) / perTransfer) }

    /// The raised limit minus the open descriptors, some of which may be inherited from the parent process.
    private static var free: Int {
        let open = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 3
        return raised - open
    }

    /// Raises the limit as far as allowed, at most to 4096, and returns it.
    private static var raised: Int {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return 1024 }
        if limit.rlim_cur < limit.rlim_max {
            // 4096 is enough, and some systems allow a billion.
            var raised = rlimit(rlim_cur: min(limit.rlim_max, max(limit.rlim_cur, 4096)), rlim_max: limit.rlim_max)
            if setrlimit(resource, &raised) == 0 { limit = raised }
        }
        return Int(clamping: limit.rlim_cur)
    }
}

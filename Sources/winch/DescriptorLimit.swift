import Foundation
import Glibc

/// How many transfers fit into the descriptors that this process may have.
///
/// Not only a matter of courtesy: libdispatch looks into /proc with a descriptor now and then, and ends the process when it gets
/// none.
enum DescriptorLimit {
    /// For the terminal, the ledger, folders and the libraries.
    private static let reserve = 20
    /// A connection, its part, another on its way to its name, and an idle connection kept for the next.
    private static let perTransfer = 4

    /// With fewer than these not even one transfer is safe.
    private static let least = 40

    /// What is wrong with the limit, raised as far as it may be; `nil`: nothing.
    static var fault: String? {
        let free = free
        guard free < least else { return nil }
        return "only \(free) more files may be opened; winch needs \(least): ulimit -n \(raised - free + least)"
    }

    /// How many transfers at a time the limit allows, raised as far as it may be; at least one.
    static func transfers() -> Int { max(1, (free - reserve) / perTransfer) }

    /// What the limit leaves beside what is open already: whoever started us may have left us some of theirs.
    private static var free: Int {
        let open = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 3
        return raised - open
    }

    private static var raised: Int {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return 1024 }
        if limit.rlim_cur < limit.rlim_max {
            // More than this nobody needs, and some systems allow a billion.
            var raised = rlimit(rlim_cur: min(limit.rlim_max, max(limit.rlim_cur, 4096)), rlim_max: limit.rlim_max)
            if setrlimit(resource, &raised) == 0 { limit = raised }
        }
        return Int(clamping: limit.rlim_cur)
    }
}

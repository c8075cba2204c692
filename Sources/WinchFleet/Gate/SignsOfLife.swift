import FoundationEssentials
import Glibc
package import WinchModel
import WinchSystem

/// Which workers have died: those whose sign of life has the same revision for too long, by the clock of the observer alone.
package struct SignsOfLife: Sendable {
    private struct Sign {
        var revision: UInt64
        /// When the observer had it first.
        var since: Moment
        /// When the observer last asked for it and still got this one.
        var until: Moment
        var hasEnded = false
    }

    private var signs: [String: Sign] = [:]

    /// A lease is worth nothing when its holder has stored no sign of life for so long. The holder counts from when it sent the
    /// sign, the others from when they saw it: it gives up first.
    package static let lifetime = Duration.seconds(10)
    /// From one sign to the next.
    package static let interval = Duration.seconds(2)

    /// - Parameters:
    ///   - revision: `nil`: there is no sign.
    ///   - asked: when the observer asked; the server had this one then.
    ///   - hasEnded: its process is of the same machine and is no more.
    package mutating func note(
        _ worker: String, _ revision: UInt64?, asked: Moment, hasEnded: Bool = false, at now: Moment
    ) {
        defer { if hasEnded { signs[worker]?.hasEnded = true } }
        let revision = revision ?? 0
        guard let known = signs[worker], known.revision == revision else {
            signs[worker] = Sign(revision: revision, since: now, until: now)
            return
        }
        signs[worker]?.until = max(known.until, asked)
    }

    package func isDead(_ worker: String) -> Bool {
        guard let sign = signs[worker] else { return false }
        return sign.hasEnded || sign.until - sign.since >= Self.lifetime
    }

    /// The connection was lost: what was seen before proves nothing, the worker may have lost it as well.
    package mutating func restart() { signs = [:] }

    mutating func keep(only workers: Set<String>) { signs = signs.filter { workers.contains($0.key) } }
}

/// Names a process among those of all machines, so that another one on the same machine sees at once when it has ended.
struct ProcessIdentity: Hashable, Sendable {
    /// Of the machine since its start, and of the container: only processes with the same see each other.
    var system: String
    var pid: Int32
    /// In ticks since the machine was started: another process may have the number by now.
    var start: String

    init?(_ text: String) {
        let parts = text.split(separator: " ")
        guard parts.count == 4, let pid = Int32(parts[2]), pid > 0 else { return nil }
        (system, self.pid, start) = (parts[0] + " " + parts[1], pid, String(parts[3]))
    }

    /// This process; `nil`: the system does not say.
    static let own: ProcessIdentity? = {
        guard let boot = BootID.current, let start = start(of: getpid()) else { return nil }
        var link = [CChar](repeating: 0, count: 64)
        guard readlink("/proc/self/ns/pid", &link, link.count - 1) > 0 else { return nil }
        let space = String(decoding: link.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return ProcessIdentity("\(boot) \(space) \(getpid()) \(start)")
    }()

    var text: String { "\(system) \(pid) \(start)" }

    /// The process is of this machine and has ended.
    var hasEnded: Bool {
        guard let own = Self.own, system == own.system else { return false }
        return Self.start(of: pid) != start
    }

    /// - Source: proc(5), field 22 of `stat`, behind the name in brackets; `nil`: there is no such process, or it has ended.
    private static func start(of pid: Int32) -> String? {
        guard let file = FileManager.default.contents(atPath: "/proc/\(pid)/stat") else { return nil }
        let stat = String(decoding: file, as: UTF8.self)
        guard let end = stat.lastIndex(of: ")") else { return nil }
        let fields = stat[stat.index(after: end)...].split(separator: " ")
        guard fields.count > 19, fields[0] != "Z", fields[0] != "X" else { return nil }
        return String(fields[19])
    }
}

package import WinchModel

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

    package init() {}

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

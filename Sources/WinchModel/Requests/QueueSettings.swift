/// How the queue as a whole behaves.
package struct QueueSettings: Hashable, Sendable {
    /// Transfers at a time, at least 1.
    package var slots = 4
    /// Connections per host over all transfers, at least 1.
    package var perHost = 8
    /// Connections to a host that has not answered yet, at least 1. While it lets all of them in their number doubles.
    package var perNewHost = 1
    package var mode = ProgressMode.accurate
    /// Transfers are added paused, until the user resumes them.
    package var isHeld = false
    /// The first failure stops everything.
    package var failsFast = false
    /// Over all transfers.
    package var rateLimit: ByteRate?
    /// Over all uploads; `nil`: no limit but `rateLimit`.
    package var uploadLimit: ByteRate?
    /// How long transfers wait for space on a full disk while nothing moves there, before they fail; `nil`: without end.
    package var spaceWait: Duration?
    /// How long the part of a cancelled download is kept, so that undoing the cancel brings the bytes back; zero: it is
    /// removed at once, and a cancel cannot be undone.
    package var undoSpan = Duration.zero
    /// For the jitter of retries.
    package var seed: UInt64 = 0

    package init() {}

    /// With what the user has changed while the queue runs.
    package func changed(by totals: QueueTotals) -> QueueSettings {
        var settings = self
        (settings.slots, settings.mode, settings.isHeld) = (totals.slots, totals.mode, totals.isHeld)
        (settings.rateLimit, settings.uploadLimit) = (totals.rateLimit, totals.uploadLimit)
        return settings
    }
}

/// How the queue's bar counts. Rows always count bytes.
public enum ProgressMode: String, Hashable, Sendable, Codable, CaseIterable {
    /// Per transfer settled.
    case simple
    /// Per byte.
    case accurate

    package var toggled: ProgressMode { self == .simple ? .accurate : .simple }
}

/// Repeatable random numbers: the queue's jitter is part of its state, so that a run can be replayed.
///
/// - Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014.
package struct SplitMix64: RandomNumberGenerator, Hashable, Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.mixed(state)
    }

    /// The number with each bit spread over all others.
    package static func mixed(_ number: UInt64) -> UInt64 {
        var mixed = number
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

import WinchModel

/// The wait for a disk on which a write found no space: longer each time until a whole file went through, since a quota does
/// not show in the free space.
struct FullDiskWait: Hashable, Sendable {
    /// Nothing starts on the disk before a reading from this instant on; `nil`: it is not full.
    private(set) var until: Moment?
    /// How long the next wait is.
    private var next = first

    static let first = Duration.seconds(3)
    static let longest = Duration.seconds(60)
    /// From one question for the free space to the next while a transfer waits for the answer.
    static let recheckInterval = Duration.seconds(3)

    /// A write found no space. One that fails while the wait lasts does not make it longer.
    mutating func begin(at now: Moment) {
        guard until == nil else { return }
        until = now + next
        next = min(Self.longest, next * 2)
    }

    /// The wait is as long as that of another disk, which turned out to be this one.
    mutating func join(_ other: Moment) { until = max(other, until ?? other) }

    /// Ends the wait if it is over.
    ///
    /// - Returns: whether transfers may start.
    mutating func ends(at now: Moment) -> Bool {
        guard let until else { return true }
        guard until <= now else { return false }
        self.until = nil
        return true
    }

    /// A whole file went through: the next wait is a short one.
    mutating func reset() { next = Self.first }
}

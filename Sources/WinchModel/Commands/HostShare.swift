/// The part of a host's connections that a queue gets, where several machines download from the host.
package struct HostShare: Hashable, Sendable, Codable {
    /// Counts the shares of the host, so that its sender sees in a `HostUse` that the queue keeps to it.
    package var number: Int
    /// Connections of this queue at a time.
    package var places: Int
    /// Connections that the other machines may have.
    package var elsewhere: Int
    /// The refusals that the share takes into account. After a further one the queue opens no connection until the next share.
    package var refusals: Int
    /// Raised when the machines agree on fewer connections: the refusal of an older connection says nothing new.
    package var generation: Int
    /// Connections beyond `places` are closed; otherwise they go on to their ends.
    package var isEnforced: Bool
    /// The host has asked another machine for a pause of this length, counted from now. Part of one share only.
    package var pause: Duration?

    package init(
        number: Int = 0, places: Int, elsewhere: Int = 0, refusals: Int = 0, generation: Int = 0,
        isEnforced: Bool = false, pause: Duration? = nil
    ) {
        (self.number, self.places, self.elsewhere, self.refusals) = (number, places, elsewhere, refusals)
        (self.generation, self.isEnforced, self.pause) = (generation, isEnforced, pause)
    }
}

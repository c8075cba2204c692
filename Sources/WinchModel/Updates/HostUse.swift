/// What a queue has and wants at a host that it shares with other machines.
package struct HostUse: Hashable, Sendable, Codable {
    package var host: String
    /// Connections that are open, or being opened.
    package var open: Int
    /// Of these, the connections that the host has let in.
    package var accepted: Int
    /// Transfers that would start if there were a place at the host.
    package var waiting: Int
    /// The number of the last `HostShare`; 0: there was none.
    package var share: Int
    /// Connections that the host has let in since the queue began.
    package var answers: Int
    /// Connections that it has refused while others were open, here or elsewhere.
    package var refusals: Int
    /// Times that the host has asked for a pause (`Retry-After`), and the length of the last one.
    package var pauses = 0
    package var pause = Duration.zero

    package init(
        host: String, open: Int, accepted: Int, waiting: Int, share: Int, answers: Int, refusals: Int
    ) {
        (self.host, self.open, self.accepted, self.waiting) = (host, open, accepted, waiting)
        (self.share, self.answers, self.refusals) = (share, answers, refusals)
    }
}

/// What a session grants its clients.
enum SessionLimits {
    /// At a time; a further client is told and closed.
    static let clients = 64
    /// From the greeting to the client's first line.
    static let introductionTime = Duration.seconds(5)
    /// Unsent bytes at which a client gets no more updates: a line has up to 900 KiB, and all is at most 1 MiB.
    static let unsentUpdates = 128 << 10
    /// Unsent bytes of replies at which a client that asks and asks, but reads no replies, is closed.
    static let unsentReplies = 1 << 20
}

import Synchronization

/// Replies to requests that other threads complete, until the server's thread takes them.
final class LateReplies: Sendable {
    private let replies = Mutex<[(peer: Int, reply: SessionReply)]>([])
    private let ring: @Sendable () -> Void

    /// - Parameter ring: wakes the server's thread.
    init(ring: @escaping @Sendable () -> Void) {
        self.ring = ring
    }

    /// - Parameter peer: the number of the client.
    func put(_ reply: SessionReply, for peer: Int) {
        replies.withLock { $0.append((peer, reply)) }
        ring()
    }

    func take() -> [(peer: Int, reply: SessionReply)] {
        replies.withLock { replies in
            defer { replies = [] }
            return replies
        }
    }
}

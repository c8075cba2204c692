import Synchronization

/// Messages for the users of all clients, until the server's thread takes them.
final class SessionNotices: Sendable {
    private let notices = Mutex<[String]>([])
    private let ring: @Sendable () -> Void

    /// The oldest are dropped when the server's thread takes none: they are in the session's log as well.
    private static let most = 100

    /// - Parameter ring: wakes the server's thread.
    init(ring: @escaping @Sendable () -> Void) {
        self.ring = ring
    }

    /// May be called on any thread.
    func put(_ words: String) {
        notices.withLock { notices in
            if notices.count == Self.most { notices.removeFirst() }
            notices.append(words)
        }
        ring()
    }

    func take() -> [String] {
        notices.withLock { notices in
            defer { notices = [] }
            return notices
        }
    }
}

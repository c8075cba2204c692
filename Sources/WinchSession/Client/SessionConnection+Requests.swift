package import WinchModel

extension SessionConnection {
    /// Sends a request and waits for its reply.
    ///
    /// - Parameters:
    ///   - patience: how long the session may say nothing at all. What is added is acknowledged when it is saved, which may take
    ///     longer on a slow disk.
    ///   - take: gets each update that comes before the reply.
    /// - Throws: `.refused` in the words of the session, `.closed`, `.silent`.
    @discardableResult package func request(
        _ request: SessionRequest, patience: Duration = .seconds(8), take: (Update) -> Void = { _ in }
    ) throws(SessionFailure) -> SessionReply {
        let n = send(request)
        while true {
            let messages = try receive(milliseconds: Int32(clamping: patience.nanoseconds / 1_000_000))
            if messages.isEmpty { throw .silent(after: patience) }
            for message in messages {
                switch message {
                case .reply(let reply) where reply.n == n:
                    if let error = reply.error { throw .refused(refusal(error)) }
                    return reply
                case .update(let update): take(update)
                case .closing(let reason): throw .closed(reason: reason)
                case .reply, .notice, .ping: break
                }
            }
        }
    }

    /// A session of an older version does not know all requests.
    private func refusal(_ words: String) -> String {
        guard words.hasPrefix(SessionReply.unknownRequest) else { return words }
        return "\(words): the session runs winch \(serverVersion); stop it, and start it again with this version"
    }

    /// The present state of the queue.
    package func status() throws(SessionFailure) -> QueueCopy {
        var copy = QueueCopy()
        try request(SessionRequest(.status)) { copy.apply($0) }
        return copy
    }
}

/// How long an end in order may take: connections are closed and their threads end. After it the process ends without them.
enum OrderlyEndTimeLimit {
    /// 3 s: how long servers may take to answer the closing of a connection. With a longer wait for a dead server winch would
    /// seem to hang.
    static let standard = Duration.seconds(3)

    /// - Parameter skipsWaiting: the user has quit without waiting (Ctrl-C twice).
    static func span(skipsWaiting: Bool) -> Duration { skipsWaiting ? .zero : standard }
}

/// How many connections bring a file, in words.
enum ConnectionWords {
    /// `3 connections; more did not help`, `1 connection: the server speaks HTTP/1.0`.
    ///
    /// - Parameter reason: why there are not more; `nil`: more are tried, or not needed.
    static func counted(_ count: Int, reason: String?) -> String {
        let words = count.counted("connection")
        return reason.map { words + (count == 1 ? ": " : "; ") + $0 } ?? words
    }
}

package import WinchModel

/// The first line, from the server.
package struct Greeting: Codable, Sendable {
    /// Winch's version.
    package var winch: String
    /// The version of the protocol.
    package var `protocol`: Int
    /// The name of the session; empty for the usual one.
    package var session: String
    package var pid: Int32
    /// The calendar time, in seconds since 1970, at which the clock of all moments read zero.
    package var origin: Double

    /// Raised when a client of before would misunderstand something.
    package static let version = 1

    package init(winch: String, session: String, pid: Int32, origin: UnixTime) {
        self.winch = winch
        `protocol` = Self.version
        self.session = session
        self.pid = pid
        self.origin = Double(origin.milliseconds) / 1000
    }
}

/// The client's first line.
package struct Introduction: Codable, Sendable {
    /// The version of the protocol that it speaks.
    package var hello: Int
    /// What it is, e.g. `winch 1.2`.
    package var client: String

    package init(client: String) {
        hello = Greeting.version
        self.client = client
    }
}

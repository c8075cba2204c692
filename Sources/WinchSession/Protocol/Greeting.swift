package import WinchModel
import WinchSystem

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
    /// Which start of the machine the clock belongs to: within one, all processes have the same clock, whatever the time of day is
    /// set to. `nil` where the kernel does not say.
    package var boot: String?

    /// Raised when a client of before would misunderstand something.
    package static let version = 1

    package init(winch: String, session: String, pid: Int32, origin: UnixTime, boot: String? = BootID.current) {
        (self.winch, `protocol`, self.session) = (winch, Self.version, session)
        (self.pid, self.boot, self.origin) = (pid, boot, 0)
        set(origin: origin)
    }

    package mutating func set(origin new: UnixTime) { origin = Double(new.milliseconds) / 1000 }
}

/// The client's first line.
package struct Introduction: Codable, Sendable {
    /// The version of the protocol that it speaks.
    package var hello = Greeting.version
    /// What it is, e.g. `winch 1.2`.
    package var client: String
}

/// How moments of a session become moments of this process.
struct ClockShift: Equatable {
    /// Whole seconds, so that the seconds of the rate graph stay whole.
    let seconds: Int64

    /// 100 years: no two clocks that run are further apart.
    private static let most = 100.0 * 366 * 86_400

    /// - Parameters:
    ///   - origin: the calendar time at which this process's clock read zero.
    ///   - boot: of this machine.
    /// - Throws: for an origin that no clock has.
    init(from greeting: Greeting, to origin: UnixTime, boot: String?) throws(SessionFailure) {
        // The calendar time may have been set since the session began, and the clock stands still while the machine sleeps: the
        // difference of the origins says nothing within one start of the machine.
        if let boot, greeting.boot == boot {
            seconds = 0
            return
        }
        let difference = greeting.origin - Double(origin.milliseconds) / 1000
        guard abs(difference) <= Self.most else {
            throw .unknownProtocol("the session says that its clock began at \(greeting.origin) s, which no clock does")
        }
        // The same clock, but for the error with which its origin is known.
        seconds = abs(difference) < 1 ? 0 : Int64(difference.rounded())
    }
}

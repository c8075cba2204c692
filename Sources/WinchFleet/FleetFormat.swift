/// The format of everything that a fleet stores at its server.
package enum FleetFormat {
    /// Raised when an older Winch could not use what a newer one has stored.
    package static let current = 1
    /// The header that every message has.
    package static let header = "Winch-Format"
    /// What the description of a stream begins with.
    static let mark = "winch fleet, format "

    static var headers: [(String, String)] { [(header, "\(current)")] }
}

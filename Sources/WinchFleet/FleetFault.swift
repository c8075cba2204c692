/// Why a fleet's server, or what it has, cannot be used.
package enum FleetFault: Error, Equatable, Sendable {
    /// No server answers at this address. `reason`: libnats' words.
    case unreachable(server: String, reason: String)
    /// The server wants another login, or one at all.
    case loginRefused(server: String)
    /// No encrypted connection. `reason`: libnats' words.
    case tls(server: String, reason: String)
    /// A file of a login or a certificate cannot be used.
    case file(path: String, reason: String)
    /// The server runs without JetStream, or the account may not use it.
    case noJetStream(server: String)
    /// The login may not do what is needed. `words`: the server's.
    case notPermitted(String)
    /// No answer in time: the connection is lost, or the server is busy.
    case noAnswer(to: String)
    /// The server refuses a request, in its words.
    case refused(String, code: Int)
    /// A stream or bucket of this name is not one of Winch.
    case foreign(name: String, reason: String)
    /// Made by a Winch that speaks another format.
    case otherFormat(String, format: String)
    /// The name of a run, or another value, cannot be used.
    case badValue(String)
    /// The connection has ended for good. `reason`: libnats' words.
    case closed(reason: String)

    /// One line for the user.
    package var message: String {
        switch self {
        case .unreachable(let server, let reason): "no NATS server answers at \(server): \(reason)"
        case .loginRefused(let server):
            "\(server) refuses the login; give the right one with --creds, --token, or user:password in the URL"
        case .tls(let server, let reason): "no encrypted connection to \(server): \(reason)"
        case .file(let path, let reason): "\(path): \(reason)"
        case .noJetStream(let server):
            "\(server) has no JetStream for this login; start nats-server with -js, or enable it for the account"
        case .notPermitted(let words): "the server does not permit what a fleet needs: \(words)"
        case .noAnswer(let what):
            "the NATS server does not answer (\(what)); is it read-only for this login, or overloaded?"
        case .refused(let words, let code): "the NATS server refuses: \(words) (\(code))"
        case .foreign(let name, let reason):
            "the server has \(name), which is not of a winch fleet: \(reason); choose another --run, or remove it"
        case .otherFormat(let what, let format):
            "\(what) has format \(format), this winch knows format \(FleetFormat.current); use the same version everywhere"
        case .badValue(let words): words
        case .closed(let reason): "the connection to the NATS server has ended" + (reason.isEmpty ? "" : ": \(reason)")
        }
    }

    /// As of `sysexits.h`: 69 is a service that cannot be reached, 77 a missing permission.
    package var exitCode: Int32 {
        switch self {
        case .unreachable, .tls, .noJetStream, .noAnswer, .closed: 69
        case .loginRefused, .notPermitted: 77
        case .file, .badValue: 2
        case .refused, .foreign, .otherFormat: 1
        }
    }
}

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

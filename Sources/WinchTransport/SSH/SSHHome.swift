import Synchronization
import WinchModel

/// The user's SSH files, and what this run has learned of servers. Used by all threads of the transport: a key that one of
/// them has accepted, or could not use, is not asked about again on another.
final class SSHHome: Sendable {
    private let state = Mutex(SSHHomeState())
    /// An agent holds keys.
    let hasAgent: Bool

    init() { hasAgent = state.withLock { $0.hasAgent } }

    /// Joins the address, the transfer's settings and ssh_config.
    func target(of url: TransferURL, _ settings: TransferSettings) throws(TransferFailure) -> SSHTarget {
        try state.withLock { (state) throws(TransferFailure) in try state.target(of: url, settings) }
    }

    /// What worked the last time.
    func learned(of name: String) -> SSHAccess.Learned? { state.withLock { $0.learned[name] } }

    func learn(_ learned: SSHAccess.Learned, of name: String) { state.withLock { $0.learned[name] = learned } }

    func isTrusted(_ key: HostKey) -> Bool { state.withLock { $0.isTrusted(key) } }

    /// Types of the keys that the user accepted for a server.
    func trustedTypes(of name: String) -> [String] { state.withLock { $0.trustedTypes(of: name) } }

    func trust(_ key: HostKey, remembering: Bool) { state.withLock { $0.trust(key, remembering: remembering) } }

    /// Why an accepted key could not be remembered; returned once.
    func takeSaveFailure(of name: String) -> String? { state.withLock { $0.takeSaveFailure(of: name) } }

    func unlock(_ file: String, _ passphrase: Secret) { state.withLock { $0.unlock(file, passphrase) } }

    func forgetPassphrase(of file: String) { state.withLock { $0.forgetPassphrase(of: file) } }

    /// The user's answer is due: the next connection to the server would fail in the same way.
    func note(_ failure: TransferFailure, of name: String, at now: Moment) {
        state.withLock { $0.note(failure, of: name, at: now) }
    }

    func refusal(of name: String, at now: Moment) -> TransferFailure? {
        state.withLock { $0.refusal(of: name, at: now) }
    }
}

import Synchronization
import WinchModel

/// The cookies of transfers between two of their requests. libcurl keeps those of one request and its redirects, and sends them
/// by their own rules of domain and path.
///
/// A transfer begins with those of its cookie file, or with none, and no other transfer gets what it was given.
final class TransferCookies: Sendable {
    private let lines = Mutex<[TransferID: [String]]>([:])

    /// Transfers with cookies at a time. Of those that failed or were removed nothing is heard: beyond this all begin anew.
    private static let most = 10_000

    /// Each a line of a cookie file.
    func cookies(of id: TransferID) -> [String] { lines.withLock { $0[id] ?? [] } }

    func keep(_ cookies: [String], of id: TransferID) {
        lines.withLock {
            if $0.count >= Self.most { $0.removeAll() }
            $0[id] = cookies.isEmpty ? nil : cookies
        }
    }

    func forget(_ id: TransferID) { lines.withLock { _ = $0.removeValue(forKey: id) } }
}

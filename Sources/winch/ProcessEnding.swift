import Glibc
import WinchKit

/// The end of the process. `exit` frees what OpenSSL and libssh2 work with, so the connections' threads must have ended
/// before it; otherwise they crash after a run that went well.
final class ProcessEnding {
    private var room: EngineRoom?
    /// The user would not wait: nothing is waited for.
    var isHurried = false

    /// 3 s: what a server gets to answer the goodbye of a connection. Longer, and a dead one would seem to hang winch.
    static let patience = Duration.seconds(3)

    /// - Parameter room: what must have ended before the process.
    func expect(_ room: EngineRoom) { self.room = room }

    /// - Returns: false when a thread is still at work.
    func settle() -> Bool {
        guard let room else { return true }
        return room.end(within: isHurried ? .zero : Self.patience)
    }

    /// Ends the process after its threads, or without what `exit` does beyond flushing when one does not end.
    func leave(_ code: Int32) -> Never {
        if settle() { exit(code) }
        fflush(nil)
        _exit(code)
    }
}

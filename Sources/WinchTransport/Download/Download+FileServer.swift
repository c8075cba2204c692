import CTransport
import WinchCore

/// Answers of FTP and SFTP servers, which have no head.
extension Download {
    /// Called for the first byte, or for the end of an empty file.
    func openWithoutHead() -> Bool {
        let rest = easy?.fact(WINCH_CONTENT_LENGTH) ?? -1
        let start = asked?.start ?? 0
        let total = rest >= 0 ? start + rest : nil
        noteConnection()
        if let reason = ssh?.takeUnkept() { report(.warned(.hostKeyNotKept(reason: reason))) }
        do throws(TransferFailure) {
            try judgeSize(total)
            if let asked {
                guard total == asked.total else {
                    try startOver(.fileChanged)
                    return false
                }
                compare(from: start, to: asked.offset, end: nil, total: total)
            } else {
                try open(at: 0, end: nil, total: total, cause: startedOver)
            }
            return true
        } catch {
            failure = error
            return false
        }
    }
}

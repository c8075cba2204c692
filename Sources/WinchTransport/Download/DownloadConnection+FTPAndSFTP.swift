import CTransport
import WinchHTTP
import WinchModel

/// Answers of FTP and SFTP servers, which have no head.
extension DownloadConnection {
    /// Called for the first byte, or for the end of an empty file.
    ///
    /// - Returns: false when the request ends.
    func openWithoutHead() -> Bool {
        let rest = easy?.fact(WINCH_CONTENT_LENGTH) ?? -1
        let total = rest >= 0 ? (asked.range?.start ?? 0) + rest : nil
        noteConnection()
        if let reason = asked.ssh?.takeSaveFailure() { report(.warned(.hostKeyNotKept(reason: reason))) }
        do throws(TransferFailure) {
            try checkSize(total)
            guard let range = asked.range else {
                try open(at: 0, end: nil, total: total, cause: asked.startedOver)
                return true
            }
            guard total == range.total else { return try startOver(.fileChanged) }
            compare(from: range.start, to: range.offset, end: nil, total: total)
            return true
        } catch {
            decision = .fail(error)
            return false
        }
    }

    /// 2 s: a server that has sent a whole file says so at once, unless a NAT has dropped the idle control connection. libcurl
    /// blocks the whole thread meanwhile, for a minute if it is not told otherwise.
    private static let longestReplyWait = 2

    /// All bytes of the file are here, and only the server's last reply is missing.
    var lacksOnlyReply: Bool {
        !asked.isHTTP && phase.isReceiving && decision == nil && download.version.total == position
    }

    func noteLastBytes() {
        if lacksOnlyReply { easy?.awaitReply(seconds: Self.longestReplyWait) }
    }
}

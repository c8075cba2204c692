import CTransport
import WinchHTTP
import WinchModel

extension DownloadConnection {
    /// Reports the facts of the connection, once the head of the answer has come.
    func noteConnection() {
        guard let easy else { return }
        report(.connected(ConnectionFacts(of: easy, head, scheme: request.url.scheme)))
    }
}

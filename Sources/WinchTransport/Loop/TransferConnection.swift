import CTransport
import WinchHTTP
import WinchModel

/// One connection of an attempt: it brings bytes of a file, sends one, or lists a folder. Used on the loop's thread only.
protocol TransferConnection: ResponseReceiver {
    /// What follows when a request has ended in libcurl.
    associatedtype Ending

    var request: ConnectionRequest { get }
    var outbox: Outbox { get }
    var easy: EasyHandle? { get set }
    var reader: HeadReader { get set }
    var speed: SpeedWatch { get set }
    /// A kept connection held bytes that were not asked for: another one is made for the request.
    var needsFreshConnection: Bool { get set }
    /// The body that is wanted has begun: only trailers come from now on.
    var hasBody: Bool { get }

    /// The head is complete.
    ///
    /// - Returns: false ends the request.
    func takeHead() -> Bool
    /// The server sends more header lines than any correct one does. The request ends.
    func refuseHead()
    /// libcurl has followed a redirect.
    func noteRedirect(_ status: Int)
    /// The request is made once more.
    func again() -> Ending
    func failed(_ failure: TransferFailure) -> Ending
}

extension TransferConnection {
    var id: ConnectionID { request.connection }
    var transfer: TransferID? { request.transfer }
    var largestPiece: Int64 { speed.largestPiece }
    var settings: TransferSettings { request.settings.value }
    var isHTTP: Bool { request.url.scheme.isHTTP }
    // Read in place: it is too large to be copied for each of its fields.
    var head: ResponseHead {
        @inline(__always) _read { yield reader.head }
    }
    var hasBody: Bool { false }

    func noteRedirect(_ status: Int) {}

    func report(_ event: TransportEvent) { outbox.report(id, event) }

    /// Reports the facts of the connection, once the head of the answer has come.
    func reportConnection() {
        guard let easy else { return }
        report(.connected(ConnectionFacts(of: easy, head, scheme: request.url.scheme)))
    }

    func willSendRequest() {
        ssh?.succeeded()
        reader.isRequested = true
        let isFirst = !speed.isRequested
        speed.requestSent(at: outbox.now)
        if isFirst { report(.requested) }
    }

    func take(header line: UnsafeRawBufferPointer) -> Bool {
        speed.take(head: line.count)
        switch read(line) {
        case .other: return true
        case .tooMuch:
            refuseHead()
            return false
        case .status(let redirect):
            if let redirect { noteRedirect(redirect) }
            return true
        case .end:
            speed.noteHead(status: head.status, at: outbox.now)
            return takeHead()
        }
    }

    /// Nothing counts for FTP but its replies.
    private func read(_ line: UnsafeRawBufferPointer) -> HeadReader.Line {
        guard isHTTP else {
            return reader.read(reply: line) { settings.withoutLogin($0, at: request.url) }
        }
        return hasBody ? reader.read(trailer: line) : reader.read(line)
    }

    func url(of easy: EasyHandle) -> TransferURL {
        easy.effectiveURL.flatMap { try? TransferURL($0) } ?? request.url
    }

    func curlFailure(_ code: CurlCode, of easy: EasyHandle) -> CurlFailure {
        let url = url(of: easy)
        return CurlFailure(
            code: code, words: easy.words(for: code), systemError: Int32(clamping: easy.fact(WINCH_OS_ERROR)),
            proxyStatus: Int(easy.fact(WINCH_CONNECT_CODE)), host: url.hostAndPort, scheme: url.scheme,
            path: PercentCoding.decoded(request.url.pathText), proxy: settings.proxy,
            connectTimeout: settings.connectTimeout, maxRedirects: settings.maxRedirects,
            user: settings.recordedUserName(at: request.url), isLoginTyped: settings.isLoginTyped ?? false,
            reply: reader.refusal, isConnected: easy.fact(WINCH_CONNECT_TIME) > 0, isRequested: speed.isRequested)
    }

    /// What follows when the request did not go out, or its answer is none: libcurl may have chosen a connection that held bytes
    /// already, or gets those of a body that nobody has asked for, and another one is tried in the same attempt. `nil`: it was
    /// answered.
    func endRefused(_ code: CurlCode, _ easy: EasyHandle) -> Ending? {
        let isStray =
            code == .unsupportedProtocol && !needsFreshConnection && request.upload == nil
            && easy.fact(WINCH_CONNECT_TIME) == 0 && curlFailure(code, of: easy).httpFault != nil
        guard easy.refusal != nil || isStray else { return nil }
        guard isStray || easy.refusal == .keptConnection, !needsFreshConnection else {
            return failed(.connectionLost("the server sent bytes before the request"))
        }
        needsFreshConnection = true
        return again()
    }

    /// What follows when SSH did not let the request in; `nil`: it did.
    func endLogin(_ code: CurlCode, _ easy: EasyHandle) -> Ending? {
        guard let ssh else { return nil }
        return switch ssh.reaction(after: code, easy.words(for: code)) {
        case .again: again()
        case .failed(let failure): failed(failure)
        case .none: nil
        }
    }
}

import CTransport
import Glibc
import WinchHTTP
import WinchModel

/// A connection that brings bytes of a file: the first of an attempt, which opens the part, or one that brings a range of it.
/// Used on the loop's thread only.
protocol FileConnection: ResponseReceiver {
    var request: ConnectionRequest { get }
    /// The file that it brings bytes of; connections of one transfer share it.
    var download: Download { get }
    var outbox: Outbox { get }
    var easy: EasyHandle? { get set }
    var asked: DownloadRequest { get set }
    var reader: HeadReader { get set }
    var speed: SpeedWatch { get set }
    /// Bytes of the file before this position have come over this connection, or were on disk.
    var position: Int64 { get }

    /// The body that belongs to the file has begun: only trailers come from now on.
    var hasBody: Bool { get }

    /// The head is complete.
    ///
    /// - Returns: false ends the request.
    func takeHead() -> Bool
    /// The server sends more header lines than any correct one does. The request ends.
    func refuseHead()
    func end(_ code: CurlCode, _ easy: EasyHandle) -> FileConnectionEnding
    func again() -> FileConnectionEnding
    /// Ten times a second: puts on disk the bytes so far, and checks the disk, the time and the speed.
    ///
    /// - Returns: why the connection ends.
    func check() -> TransferFailure?
    /// Nothing is to be brought at or beyond a position from now on.
    func bound(at end: Int64)
    /// All that it is to bring has come, although libcurl's request has not ended.
    var isAtBound: Bool { get }
    /// It ends because all that it is to bring has come.
    func endPiece() -> FileConnectionEnding
    /// Puts on disk the bytes so far and reports their number. What cannot be written is fetched again.
    func flush()
}

/// What follows when a request has ended in libcurl.
enum FileConnectionEnding {
    /// The same attempt goes on with another request.
    case again(EasyRequest)
    /// The host was not found, or cannot be reached: the system is asked whether the network is to blame.
    case needsLookup(TransferFailure, host: String)
    /// The whole file is on disk, or in memory; the finisher's turn.
    /// - Parameter resume: what is left if that goes wrong.
    case complete(FinishJob, resume: ResumePoint)
    /// The connection has brought its part of the file, and others are missing.
    case pieceEnded
    /// The whole file is there, and the hashes of its last pieces are being checked, or not known yet.
    case unchecked
    case failed(TransferFailure)
    /// There is a folder instead of the file.
    case folder(TransferURL)
    /// The body was not for a file, and what it was is reported.
    case settled
    /// Nothing needs to be fetched; the size of the file that is there.
    case finished(TransferPhase.Outcome, size: Int64)
}

extension FileConnection {
    var id: ConnectionID { request.connection }
    var transfer: TransferID? { request.transfer }
    var settings: TransferSettings { request.settings.value }
    // Read in place: it is too large to be copied for each of its fields.
    var head: ResponseHead {
        @inline(__always) _read { yield reader.head }
    }
    var ssh: SSHAccess? { asked.ssh }

    /// Bytes that come may wait in the socket for some milliseconds. Those of SFTP may not: there the next request for bytes is
    /// sent when they are read.
    var bytesMayWait: Bool { hasBody && ssh == nil && speed.mayGather }

    func report(_ event: TransportEvent) { outbox.report(id, event) }

    /// The last byte has come of those that the server named.
    func noteExcess() { if download.excess == .notSeen, easy?.hasMoreToRead == true { download.excess = .seen } }

    /// An FTP server that has sent more than it named was asked for the size once more.
    ///
    /// - Throws: when it names no larger one: the size is wrong.
    func checkGrowth(to total: Int64?) throws(TransferFailure) {
        let named = download.version.total ?? 0
        guard let total, total > named else { throw .sentMore(than: named) }
        download.excess = .growing
    }

    /// The connections were told their parts of the file by its first size: it is complete as of that.
    func noteGrown() { report(.warned(.grown(size: ByteCount(bytes: download.version.total ?? 0)))) }

    /// The failure that a status is: a 401 depends on whether the last request had a login. After a redirect to another origin
    /// no login would be sent.
    func failure(_ status: Int) -> TransferFailure {
        let url = easy.map { self.url(of: $0) } ?? request.url
        guard url.origin == request.url.origin else { return .httpStatus(status) }
        let sent = request.settings.sent(to: url, namedBy: request.url).value
        return .status(status, of: request.url, sent, offers: head.foreignLogins)
    }

    func url(of easy: EasyHandle) -> TransferURL {
        easy.effectiveURL.flatMap { try? TransferURL($0) } ?? request.url
    }

    func curlFailure(_ code: CurlCode, _ easy: EasyHandle) -> TransferFailure {
        let url = url(of: easy)
        return CurlFailure(
            code: code, words: easy.words(for: code), systemError: Int32(clamping: easy.fact(WINCH_OS_ERROR)),
            proxyStatus: Int(easy.fact(WINCH_CONNECT_CODE)), host: url.hostAndPort, scheme: url.scheme,
            path: asked.remotePath,
            proxy: settings.proxy, connectTimeout: settings.connectTimeout, maxRedirects: settings.maxRedirects,
            location: head.location ?? asked.lastLocation, user: settings.recordedUserName(at: request.url),
            isLoginTyped: settings.isLoginTyped ?? false,
            reply: reader.refusal, isRequested: speed.isRequested, isOpen: download.body.isOpen,
            have: ByteCount(bytes: position), expected: download.version.total.map { ByteCount(bytes: $0) }
        ).transferFailure
    }

    /// What follows when the request did not go out: libcurl may have chosen a connection that held bytes already, and another
    /// one is tried in the same attempt. `nil`: it went out.
    func endRefused(_ easy: EasyHandle) -> FileConnectionEnding? {
        guard let refusal = easy.refusal else { return nil }
        guard refusal == .keptConnection, asked.demandFreshConnection() else {
            return .failed(.connectionLost("the server sent bytes before the request"))
        }
        return again()
    }

    /// What follows when SSH did not let the request in; `nil`: it did.
    func endLogin(_ code: CurlCode, _ easy: EasyHandle) -> FileConnectionEnding? {
        guard let ssh else { return nil }
        return switch ssh.reaction(after: code, easy.words(for: code)) {
        case .again: again()
        case .failed(let failure): .failed(failure)
        case .none: nil
        }
    }

    /// The failure may have its cause in this machine's network; `nil`: not this one.
    func lookupEnding(_ code: CurlCode, _ failure: TransferFailure, _ easy: EasyHandle) -> FileConnectionEnding? {
        switch code {
        case .hostNotFound: .needsLookup(failure, host: url(of: easy).host)
        case .proxyNotFound: .needsLookup(failure, host: settings.proxy.map(CurlFailure.proxyName) ?? "")
        // Of a host with addresses of both families libcurl reports the last failure, which may be of one without a route.
        case .couldNotConnect where settings.proxy == nil && easy.fact(WINCH_OS_ERROR) == Int64(ENETUNREACH):
            .needsLookup(failure, host: url(of: easy).host)
        default: nil
        }
    }

    func willSendRequest() {
        asked.ssh?.succeeded()
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
            if (300...399).contains(head.status), let location = head.location {
                easy?.willFollow(to: location, from: request.url)
            }
            return takeHead()
        }
    }

    /// After the body begins only trailers come, and before it nothing else counts for FTP.
    private func read(_ line: UnsafeRawBufferPointer) -> HeadReader.Line {
        guard asked.isHTTP else {
            return reader.read(reply: line) { settings.withoutLogin($0, at: request.url) }
        }
        return hasBody ? reader.read(trailer: line) : reader.read(line)
    }

    private func noteRedirect(_ status: Int) {
        guard let url = easy?.effectiveURL else { return }
        let safe = (try? TransferURL(url))?.redacted ?? url
        asked.lastLocation = safe
        report(.redirected(safe, status: status))
    }

    /// A redirect from a secured to an unsecured address that the user has not allowed; `nil`: it is not one.
    var refusedDowngrade: TransferFailure? {
        guard let location = head.location, let url = easy?.effectiveURL, !settings.allowsDowngrade,
            RedirectDowngrade.isDowngrade(from: url, to: location)
        else { return nil }
        return .redirectRefused(TransferURL.redacted(location) + " is not secured (--allow-downgrade)")
    }
}

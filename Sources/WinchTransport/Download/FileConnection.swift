import CTransport
import Glibc
import WinchHTTP
import WinchModel

/// A connection that brings bytes of a file: the first of an attempt, which opens the part, or one that brings a range of it.
/// Used on the loop's thread only.
protocol FileConnection: TransferConnection where Ending == FileConnectionEnding {
    /// The file that it brings bytes of; connections of one transfer share it.
    var download: Download { get }
    var asked: DownloadRequest { get set }
    /// Bytes of the file before this position have come over this connection, or were on disk.
    var position: Int64 { get }

    func end(_ code: CurlCode, _ easy: EasyHandle) throws(TransferFailure) -> FileConnectionEnding
    /// Ten times a second: puts on disk the bytes so far, and checks the disk, the time and the speed.
    ///
    /// - Returns: why the connection ends.
    func check() -> TransferFailure?
    /// Nothing is to be brought at or beyond a position from now on.
    func bound(at end: Int64)
    /// All that it is to bring has come, although libcurl's request has not ended.
    var isAtBound: Bool { get }
    /// It ends because all that it is to bring has come.
    func endPiece() throws(TransferFailure) -> FileConnectionEnding
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
    /// Nothing needs to be fetched if this file has the hashes that are demanded.
    case existing(ExistingFile)
}

extension FileConnection {
    var ssh: SSHAccess? { asked.ssh }
    var needsFreshConnection: Bool {
        get { asked.needsFreshConnection }
        set { asked.needsFreshConnection = newValue }
    }

    /// Bytes that come may wait in the socket for some milliseconds. Those of SFTP may not: there the next request for bytes is
    /// sent when they are read.
    var bytesMayWait: Bool { hasBody && ssh == nil && speed.mayGather }

    func failed(_ failure: TransferFailure) -> FileConnectionEnding { .failed(failure) }

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

    func curlFailure(_ code: CurlCode, _ easy: EasyHandle) -> TransferFailure {
        var failure = curlFailure(code, of: easy)
        failure.location = head.location ?? asked.lastLocation
        (failure.isOpen, failure.have) = (download.body.isOpen, ByteCount(bytes: position))
        failure.expected = download.version.total.map { ByteCount(bytes: $0) }
        return failure.transferFailure
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

    func noteRedirect(_ status: Int) {
        guard let url = easy?.effectiveURL else { return }
        let safe = (try? TransferURL(url))?.redacted ?? url
        asked.lastLocation = safe
        report(.redirected(safe, status: status))
    }
}

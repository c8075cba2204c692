import WinchHTTP
import WinchModel

/// Removes what an unfinished upload has left at its server, in several attempts if need be. Used on the loop's thread only.
final class UploadRemoval: ResponseReceiver {
    enum Ending {
        /// The same attempt goes on with another request, with another of the user's keys.
        case again(EasyRequest)
        case done
        case failed
    }

    let start: ConnectionRequest
    /// As in `UploadPlace`.
    let name: String
    /// What is removed, for the user: its URL without a login.
    let place: String
    /// When the attempt under way is ended, or the next one begins.
    private(set) var due: Moment
    private(set) var ssh: SSHAccess?
    private let upload: EasyUpload
    private let url: TransferURL
    private var reader = HeadReader()
    private var attempts = 0

    /// 3 s: the program may be waiting for it to end.
    private static let timeout = Duration.seconds(3)
    /// With waits of 1, 2, 4 and 8 s, if the user has not chosen another first one: a server is started again in less.
    private static let mostAttempts = 5
    private static let longestWait = Duration.seconds(60)

    /// - Returns: `nil` when nothing is there, or the protocol has no way.
    init?(_ start: ConnectionRequest, at now: Moment) {
        guard let order = start.upload, let name = start.resume?.upload?.name, !name.isEmpty else { return nil }
        var upload = EasyUpload()
        if start.url.scheme.isHTTP {
            guard let headers = order.httpProtocol.removalHeaders, let own = try? TransferURL(name) else { return nil }
            (upload.method, upload.headers) = ("DELETE", headers)
            url = own
            place = TransferURL.withoutSecrets(own.redacted)
        } else {
            guard let folder = start.url.folder else { return nil }
            if start.url.scheme.isFTP { upload.commandsAfter = ["DELE \(name)"] }
            url = folder
            place = TransferURL.withoutSecrets((folder.file(named: name) ?? folder).redacted)
        }
        (self.start, self.name, self.upload, due) = (start, name, upload, now)
    }

    /// - Returns: the first request of another attempt.
    func begin(sshHome: SSHHome, at now: Moment) throws(TransferFailure) -> EasyRequest {
        attempts += 1
        due = now + Self.timeout
        if start.url.scheme == .sftp { ssh = try SSHAccess(start.url, start.settings.value, sshHome, at: now) }
        return request()
    }

    /// By SFTP a host of ssh_config may have another name, and the user another folder.
    private func request() -> EasyRequest {
        reader = HeadReader()
        guard let ssh, let folder = ssh.target.url.folder else {
            return EasyRequest(
                url: url, settings: start.settings.sent(to: url, namedBy: start.url),
                isHead: !start.url.scheme.isHTTP, upload: upload)
        }
        var upload = upload
        upload.commandsBefore = ["rm \(folder.commandPath(of: name))"]
        return EasyRequest(url: folder, settings: start.settings, isHead: true, ssh: ssh.request, upload: upload)
    }

    /// - Returns: false when there is to be no further attempt.
    func wait(at now: Moment) -> Bool {
        guard attempts < Self.mostAttempts else { return false }
        due = now + min(start.settings.value.retryWait * (1 << max(0, attempts - 1)), Self.longestWait)
        return true
    }

    func end(_ code: CurlCode, _ words: String) -> Ending {
        if let ssh, case .again = ssh.reaction(after: code, words) { return .again(request()) }
        let isDone =
            start.url.scheme.isHTTP
            ? code == .ok && Self.isGone(status: reader.head.status)
            : code == .ok || code == .remoteFileNotFound || Self.isGone(reader.refusal ?? words)
        return isDone ? .done : .failed
    }

    static func isGone(status: Int) -> Bool { (200...299).contains(status) || status == 404 || status == 410 }

    /// - Parameter refusal: an FTP server's reply, or libcurl's words for an SFTP server's. FTP has one code for a file that is not
    ///   there and for one that may not be removed.
    static func isGone(_ refusal: String) -> Bool {
        let words = refusal.lowercased()
        if words.hasPrefix("550") { return !["denied", "permi", "not allowed"].contains { words.contains($0) } }
        return words.contains("no such file") || words.contains("does not exist")
    }

    func willSendRequest() { ssh?.succeeded() }

    func take(header line: UnsafeRawBufferPointer) -> Bool {
        (start.url.scheme.isHTTP ? reader.read(line) : reader.read(reply: line) { $0 }) != .tooMuch
    }

    func take(body bytes: UnsafeRawBufferPointer) -> BodyAnswer { .taken }
}

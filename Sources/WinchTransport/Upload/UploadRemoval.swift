import WinchModel

/// Removes what an unfinished upload has left at its server.
final class UploadRemoval: ResponseReceiver {
    let ssh: SSHAccess?
    let server: String
    let request: EasyRequest
    let deadline: Moment

    /// 3 s: the program may be waiting for it to end.
    private static let timeout = Duration.seconds(3)

    /// - Returns: `nil` when nothing is there, or the protocol has no way.
    init?(_ start: ConnectionRequest, sshHome: SSHHome, at now: Moment) {
        guard let order = start.upload, let place = start.resume?.upload, !place.name.isEmpty else { return nil }
        server = start.url.server
        deadline = now + Self.timeout
        var upload = EasyUpload()
        switch start.url.scheme {
        case .http, .https:
            guard order.isTus, let url = try? TransferURL(place.name) else { return nil }
            ssh = nil
            upload.method = "DELETE"
            upload.headers = ["Tus-Resumable: 1.0.0"]
            request = EasyRequest(
                url: url, settings: start.settings.sent(to: url, namedBy: start.url), upload: upload)
        case .ftp, .ftps:
            guard let folder = start.url.folder else { return nil }
            ssh = nil
            upload.commandsAfter = ["DELE \(place.name)"]
            request = EasyRequest(url: folder, settings: start.settings, isHead: true, upload: upload)
        case .sftp:
            guard let access = try? SSHAccess(start.url, start.settings.value, sshHome, at: now),
                let folder = access.target.url.folder
            else { return nil }
            ssh = access
            upload.commandsBefore = ["rm \(folder.commandPath(of: place.name))"]
            request = EasyRequest(
                url: folder, settings: start.settings, isHead: true, ssh: access.request, upload: upload)
        }
    }

    /// - Returns: another request, with another of the user's keys.
    func end(_ code: CurlCode, _ easy: EasyHandle) -> EasyRequest? {
        guard let ssh, case .again = ssh.reaction(after: code, easy.words(for: code)) else { return nil }
        var next = request
        next.ssh = ssh.request
        return next
    }

    func willSendRequest() { ssh?.succeeded() }
    func take(header line: UnsafeRawBufferPointer) -> Bool { true }
    func take(body bytes: UnsafeRawBufferPointer) -> BodyAnswer { .taken }
}

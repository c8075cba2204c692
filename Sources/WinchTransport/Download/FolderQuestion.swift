import WinchModel

/// An FTP or SFTP server has no such file: is it a folder? Asked with a slash at the end of the path.
struct FolderQuestion {
    /// The failure without the question.
    private let original: TransferFailure
    private let url: TransferURL
    /// A listing has begun.
    var isAnswered = false

    /// - Returns: `nil` when the failure has nothing to do with folders.
    init?(after code: CurlCode, _ failure: TransferFailure, of url: TransferURL) {
        // OpenSSH opens a folder as it does a file, and fails when it is to be read.
        let mayBeFolder =
            switch url.scheme {
            case .http, .https: false
            case .ftp, .ftps: code == .remoteFileNotFound
            case .sftp: code == .ssh
            }
        guard mayBeFolder, let folder = url.asFolder else { return nil }
        original = failure
        self.url = folder
    }

    /// By FTP the change into the folder answers it, by SFTP the first byte of the listing.
    func request(
        settings: Shared<TransferSettings>, ssh: SSHRequest?, needsFreshConnection: Bool
    ) -> EasyRequest {
        EasyRequest(
            url: url, settings: settings, isHead: url.scheme != .sftp, needsFreshConnection: needsFreshConnection,
            ssh: ssh)
    }

    func failure(_ code: CurlCode, path: String) -> TransferFailure {
        code == .ok || isAnswered ? .remoteFile(.folder, path: path) : original
    }
}

extension TransferURL {
    /// Whether this URL, which a server named, may be used as a mirror: it is for HTTP or FTP, has no login, and is encrypted if
    /// `origin` is.
    ///
    /// - Parameters:
    ///   - origin: the URL that the user gave.
    ///   - allowsDowngrade: it need not be encrypted (`--allow-downgrade`).
    package func isMirror(of origin: TransferURL, allowsDowngrade: Bool) -> Bool {
        guard scheme != .sftp, redacted == text else { return false }
        return isEncrypted || !origin.isEncrypted || allowsDowngrade
    }

    /// The bytes are encrypted from the first on.
    package var isEncrypted: Bool {
        switch scheme {
        case .https, .ftps, .sftp: true
        case .http, .ftp: false
        }
    }
}

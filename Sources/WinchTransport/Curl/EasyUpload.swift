import WinchModel

/// What a request of an upload has besides that of a download.
struct EasyUpload {
    /// `nil`: GET, or HEAD.
    var method: String?
    /// A body is sent.
    var hasBody = false
    /// The size of the body, with the bytes that `resumeFrom` skips; `nil`: it is not known.
    var bodySize: Int64?
    /// Header lines, `Name: value`; `Name:` removes libcurl's own.
    var headers: [String] = []
    var createsFolders = false
    /// TLS 1.3 is not used. With it a server sends session tickets after the handshake, libcurl 7.88 closes FTP's data
    /// connection without reading them, the system sends RST, and the server loses the end of the file: 6 of 10 uploads to
    /// vsftpd. With TLS 1.2 the tickets are a part of the handshake.
    var isUpToTLS12 = false
    /// Commands of FTP and SFTP.
    var commandsBefore: [String] = []
    var commandsAfter: [String] = []

    /// Bytes that libcurl takes at a time. It allocates them for each request, so a small body gets few: 64 KiB do not have to
    /// come from the system.
    ///
    /// 512 KiB: below it turns of the loop cost more than the copy. With SFTP libssh2 sends so many before it waits for the
    /// server's replies; 2 MiB is libcurl's most.
    func buffer(_ scheme: TransferURL.Scheme) -> Int {
        let most = scheme == .sftp ? 2 << 20 : 512 << 10
        return Int(max(64 << 10, min(bodySize ?? .max, Int64(most))))
    }
}

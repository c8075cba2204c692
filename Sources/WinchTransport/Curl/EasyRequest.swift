import WinchModel

/// One request as libcurl is to make it.
struct EasyRequest {
    enum Login { case basic, digest }

    var url: TransferURL
    var settings: Shared<TransferSettings>
    /// `500-`: from there to the end; HTTP only.
    var range: String?
    /// A header line on which the answer depends: `If-Range`, `If-None-Match`.
    var condition: String?
    /// FTP and SFTP: bytes to skip.
    var resumeFrom: Int64 = 0
    /// HEAD: the headers without the body.
    var isHead = false
    var login = Login.basic
    /// A kept connection must not be used: one turned out to hold bytes that were not asked for.
    var needsFreshConnection = false
    /// Over HTTP/2 all ranges of a host would share one connection of TCP.
    var isHTTP1 = false
    /// SFTP only.
    var ssh: SSHRequest?
    /// What is sent, and all else that downloads do not have; `nil`: a download.
    var upload: EasyUpload?
}

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

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

import WinchCore

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
    /// SFTP only.
    var ssh: SSHRequest?
}

/// How an SSH connection is to be made.
struct SSHRequest: Hashable {
    var user: String
    var password: String?
    var keyFile: String?
    var passphrase: Secret?
    /// Bits of `WINCH_SSH_...`.
    var methods: Int
    /// A known_hosts file of one line, from which libcurl takes the type of key that it asks the server for; `nil`: any.
    var wantedType: String?
    /// The user's known_hosts, where libcurl decides by itself; `nil`: any key will do.
    var knownHosts: String?
}

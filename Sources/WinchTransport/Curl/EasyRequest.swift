import CTransport
import WinchModel

/// One request as libcurl is to make it.
struct EasyRequest {
    /// How a user name and password are sent.
    enum Login {
        /// By Basic at once where the connection is encrypted: some servers show who has a login more than others, and never ask
        /// for one. In clear text only once a server has asked, by Digest where it offers that.
        case usual
        /// The server has refused Basic and offers Digest.
        case digest

        func methods(at url: TransferURL) -> Int {
            switch self {
            case .usual where url.scheme == .http: WINCH_AUTH_BASIC | WINCH_AUTH_DIGEST
            case .usual: WINCH_AUTH_BASIC
            case .digest: WINCH_AUTH_DIGEST
            }
        }

        /// What follows a refusal with an offer of Digest; `nil`: libcurl has tried Digest already, or there is no login.
        func digest(_ settings: TransferSettings, at url: TransferURL) -> Login? {
            self == .usual && url.scheme != .http && settings.hasUser(at: url) ? .digest : nil
        }
    }

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
    var login = Login.usual
    /// A kept connection must not be used: one turned out to hold bytes that were not asked for.
    var needsFreshConnection = false
    /// Over HTTP/2 all ranges of a host would share one connection of TCP.
    var isHTTP1 = false
    /// SFTP only.
    var ssh: SSHRequest?
    /// What is sent, and all else that downloads do not have; `nil`: a download.
    var upload: EasyUpload?
}

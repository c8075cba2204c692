import CTransport
import Glibc
import WinchHTTP
import WinchModel

struct EasyRequest {
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
    /// An FTP or SFTP server is asked for the time of the file.
    var asksTime = false
    /// An FTP server is not asked for the size of the file.
    var ignoresSize = false
    /// SFTP only.
    var ssh: SSHRequest?
    /// What is sent, and all else that downloads do not have; `nil`: a download.
    var upload: EasyUpload?
}

extension EasyRequest {
    /// How an FTP server is told the path. Servers take a name that begins with `~`, alone or before a slash, for the home folder of
    /// the user or of another, unless the path begins with another name. A folder is changed into, because LIST takes blanks in a
    /// path for the ends of names. Of an upload missing folders can be made one by one only.
    var ftpPaths: Int {
        guard url.scheme.isFTP, upload.map({ $0.method != nil }) ?? true,
            FTPName.parts(of: url).dropFirst().contains(where: FTPName.meansHome)
        else { return WINCH_FTP_EACH }
        return url.namesFolder ? WINCH_FTP_ONE : WINCH_FTP_NONE
    }
}

/// What a request of an upload has besides that of a download.
struct EasyUpload {
    /// `nil`: GET, or HEAD.
    var method: String?
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

/// Takes an answer while libcurl receives it: on the loop's thread, inside libcurl's callbacks.
protocol ResponseReceiver: AnyObject {
    /// The connection stands and a request is about to go out; once for every hop of a redirect.
    func willSendRequest()
    /// - Returns: false ends the transfer.
    func take(header line: UnsafeRawBufferPointer) -> Bool
    func take(body bytes: UnsafeRawBufferPointer) -> BodyAnswer
    /// Bytes of a body that it is given in one go.
    var largestPiece: Int64 { get }
    /// How the SSH connection is made; `nil` for everything else.
    var ssh: SSHAccess? { get }
    /// The transfer that it is for, whose cookies it sends and gets; `nil`: cookies live as long as the request.
    var transfer: TransferID? { get }
}

extension ResponseReceiver {
    var transfer: TransferID? { nil }
    var largestPiece: Int64 { .max }
}

/// The answer to a piece of a body.
enum BodyAnswer {
    case taken
    /// Nothing of it was taken: it comes again once the handle is released.
    case notNow
    /// The transfer ends.
    case refused
}

/// The next piece of a body that is sent.
enum BodyPiece {
    /// Bytes in the room; 0: the end.
    case given(Int)
    /// There are none at present: the handle has to be released when there are.
    case notYet
    /// The transfer ends.
    case refused
}

extension ConnectionFacts {
    /// - Parameter scheme: of the transfer's URL.
    init(of easy: EasyHandle, _ head: ResponseHead, scheme: TransferURL.Scheme) {
        let tls = easy.tlsConnection
        self.init(
            address: winch_easy_address(easy.raw).map { String(cString: $0) } ?? "",
            port: max(0, Int(easy.fact(WINCH_PORT))), protocolName: Self.protocolName(of: easy, scheme),
            tlsVersion: winch_tls_version(tls).map { String(cString: $0) },
            tlsCipher: winch_tls_cipher(tls).map { String(cString: $0) }, status: head.status,
            headers: head.recorded, validator: head.validator)
    }

    private static func protocolName(of easy: EasyHandle, _ scheme: TransferURL.Scheme) -> String {
        switch easy.fact(WINCH_HTTP_VERSION) {
        case 1: "HTTP/1.0"
        case 2: "HTTP/1.1"
        case 3: "HTTP/2"
        case 30: "HTTP/3"
        default: scheme.rawValue.uppercased()
        }
    }
}

extension TransferURL {
    /// The address that a header field names.
    ///
    /// - Parameters:
    ///   - reference: as the server wrote it, often without scheme and host.
    ///   - base: the address that answered.
    /// - Returns: `nil` when that is no address that Winch knows.
    /// - Source: RFC 3986, section 5.
    init?(_ reference: String, relativeTo base: String) {
        guard let joined = winch_url_joined(base, reference) else { return nil }
        defer { free(joined) }
        guard let url = try? TransferURL(String(cString: joined)) else { return nil }
        self = url
    }
}

import WinchHTTP
import WinchModel

/// The requests of one attempt at an upload, one after the other. A value without input and output: it is told what the server
/// answered, and says what comes next.
protocol UploadDialogue {
    /// Where the bytes go, when that is known before the first request.
    var firstPlace: UploadPlace? { get }
    /// About the upload, although it goes on; `nil`: nothing.
    var warning: TransferWarning? { get }
    /// - Parameter answer: to the last request; `nil`: at the beginning, and after `wait`, `hold` and `awaitFolder`.
    mutating func next(after answer: UploadAnswer?) -> UploadStep
}

extension UploadDialogue {
    var firstPlace: UploadPlace? { nil }
    var warning: TransferWarning? { nil }
}

enum UploadStep {
    case request(UploadRequest)
    /// The dialogue goes on after this time.
    case wait(Duration)
    /// Another upload is making this folder: the dialogue goes on when that has ended.
    case awaitFolder(TransferURL)
    /// The server has a place for the upload, which a later run must know before anything is sent.
    case hold(UploadPlace)
    /// The server wants to know the size of the body first: the dialogue is begun anew with it.
    case needsSize
    /// The server has the whole.
    case done
    /// - Parameter place: where the next attempt may go on; `nil`: it begins anew.
    case failed(TransferFailure, place: UploadPlace?)
}

struct UploadRequest {
    var url: TransferURL
    var settings: Shared<TransferSettings>
    /// `nil`: GET, or what FTP and SFTP do.
    var method: String?
    /// Asks for the size: HEAD.
    var isHead = false
    var body: Range<Int64>?
    /// Why the body begins before what the server was thought to have.
    var startsOver = Rebase.Cause.sentAgain
    /// Bytes that an FTP or SFTP server has, or of a download those that are not wanted.
    var resumeFrom: Int64 = 0
    var headers: [String] = []
    var needsFreshConnection = false
    var createsFolders = false
    var commandsBefore: [String] = []
    var commandsAfter: [String] = []
    /// The answer's body is the file itself: so many of its bytes are wanted.
    var wanted: Int = ServerReply.longest

    init(_ url: TransferURL, _ settings: Shared<TransferSettings>, method: String? = nil) {
        self.url = url
        self.settings = settings
        self.method = method
    }
}

struct UploadAnswer {
    /// Why there is no answer, or none that counts; `nil`: the server has answered.
    var failure: TransferFailure?
    var code = CurlCode.ok
    var head = ResponseHead()
    /// The body of the answer, cut.
    var body: [UInt8] = []
    /// The size that an FTP or SFTP server names; `nil`: it does not.
    var size: Int64?
    /// The code of an FTP server's last reply; 0: there is none.
    var reply = 0
    /// The last refusal of an FTP server, its code first.
    var refusal: String?
    /// Where the source stands: all before it was given to libcurl.
    var given: Int64 = 0
    /// Of an SFTP server's file system, when it was asked; `nil`: not known.
    var freeBlocks: UInt64?
    /// The whole body of the request was given to libcurl.
    var isSent = true
    var url: TransferURL
}

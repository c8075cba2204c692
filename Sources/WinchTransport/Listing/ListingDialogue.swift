import WinchHTTP
import WinchModel

/// The requests by which one folder is listed, one after the other. A value without input and output: it is told what the server
/// answered, and says what comes next.
protocol ListingDialogue {
    /// - Parameter answer: to the last request; `nil`: at the beginning.
    mutating func next(after answer: ListingAnswer?) -> ListingStep
}

enum ListingStep: Hashable {
    case request(ListingRequest)
    /// All entries have been read.
    case done
    case failed(TransferFailure)
}

struct ListingRequest: Hashable {
    var url: TransferURL
    /// The folder: what is listed is below it. Its path ends in `/`.
    var page: TransferURL
    /// `nil`: GET, or LIST.
    var method: String?
    /// Header lines.
    var headers: [String] = []
    /// The form of the answer; `nil`: the web server chooses, and the first bytes show it.
    var form: ListingForm?
    /// Of a bucket: the keys in the folder begin with these bytes.
    var prefix: [UInt8] = []
    /// Of a bucket: which page of its list; `nil`: the first.
    var token: String?

    init(_ url: TransferURL, page: TransferURL, form: ListingForm? = nil) {
        (self.url, self.page, self.form) = (url, page, form)
    }
}

struct ListingAnswer {
    enum Content: Hashable {
        case none
        case complete
        /// Another page follows.
        /// - Parameter isMarker: the token is one of the first version of the list.
        case continued(token: String, isMarker: Bool)
        /// The answer lists no folder.
        case noListing
        /// The answer to a plain request lists the keys of a bucket, not only those of the folder. It was not read.
        case bucket
    }

    /// Why the folder was not listed; `nil`: it was, as far as `content` says.
    var failure: TransferFailure?
    var content = Content.none
    var code = CurlCode.ok
    var head = ResponseHead()
    /// The first bytes of a web server's refusal.
    var body: [UInt8] = []
    /// The code of an FTP server's last reply; 0: there is none.
    var reply = 0
    /// The last refusal of an FTP server, its code first.
    var refusal: String?
}

/// MLSD, whose form is fixed, else LIST.
struct FTPListing: ListingDialogue {
    private let url: TransferURL
    private var form: ListingForm

    /// The command is not known, or not implemented. RFC 959, section 4.2.2.
    private static let unknown = [500, 501, 502, 504]

    /// - Parameter form: what the folder above was listed by; `nil`: it is not known.
    init(_ url: TransferURL, form: ListingForm?) {
        self.url = url
        self.form = form == .list ? .list : .mlsd
    }

    mutating func next(after answer: ListingAnswer?) -> ListingStep {
        guard let answer else { return ask() }
        guard let failure = answer.failure else { return .done }
        guard answer.code == .retrieveRefused else { return .failed(failure) }
        if form == .mlsd, Self.unknown.contains(answer.reply) {
            form = .list
            return ask()
        }
        // Some servers refuse to list what is empty; the change into the folder has succeeded. libcurl itself knows 450.
        let isEmpty = answer.reply == 550 && answer.refusal?.lowercased().contains("no files") ?? false
        return isEmpty ? .done : .failed(failure)
    }

    private func ask() -> ListingStep {
        var request = ListingRequest(url, page: url, form: form)
        if form == .mlsd { request.method = "MLSD" }
        return .request(request)
    }
}

/// One request: SFTP has one form.
struct SFTPFolderListing: ListingDialogue {
    /// As libcurl is to connect to it, with what ssh_config says.
    let target: TransferURL
    /// As the user knows it.
    let page: TransferURL

    mutating func next(after answer: ListingAnswer?) -> ListingStep {
        guard let answer else { return .request(ListingRequest(target, page: page, form: .sftp)) }
        return answer.failure.map { .failed($0) } ?? .done
    }
}

import WinchHTTP
import WinchModel

/// PUT and POST: the whole body in one request, after the folders that WebDAV wants to have made before.
struct HTTPUpload: UploadDialogue {
    private enum Stage {
        case begin
        /// The folder is being made.
        case folder(FolderFirst)
        case sending
    }

    private let start: ConnectionRequest
    private let order: UploadOrder
    private let contentType: String
    /// `nil`: not known; the body is sent in chunks.
    private let size: Int64?
    private var stage = Stage.begin
    private var url: TransferURL
    private var settings: Shared<TransferSettings>
    private var redirects = Redirects()
    private let folders: KnownFolders
    /// What has made the folder; `nil`: no server was asked to.
    private var made: FolderFirst?

    /// Below this libcurl would wait for a permission that costs more than the body.
    private static let expectsFrom: Int64 = 1 << 20

    init(_ start: ConnectionRequest, _ order: UploadOrder, contentType: String, size: Int64?, folders: KnownFolders) {
        (self.start, self.order, self.size) = (start, order, size)
        // A value with a line end would be another header line.
        self.contentType = String(decoding: contentType.utf8.filter { $0 >= 0x20 && $0 != 0x7F }, as: UTF8.self)
        (url, settings, self.folders) = (start.url, start.settings, folders)
    }

    mutating func next(after answer: UploadAnswer?) -> UploadStep {
        switch stage {
        case .begin:
            guard order.createsFolders, let folder = url.folder else { return send() }
            return make(FolderFirst(folder, folders, start))
        case .folder(let making): return make(making, after: answer)
        case .sending:
            guard let answer else { return send() }
            return sent(answer)
        }
    }

    private mutating func make(_ making: FolderFirst, after answer: UploadAnswer? = nil) -> UploadStep {
        var making = making
        let step = making.next(after: answer)
        if making.hasAsked { made = making }
        stage = .folder(making)
        return step ?? send()
    }

    private mutating func send() -> UploadStep {
        stage = .sending
        var request = UploadRequest(url, settings, method: order.method.rawValue)
        request.body = 0..<(size ?? .max)
        request.headers = ["Content-Type: " + contentType]
        // Without a size libcurl asks for permission as well.
        if let size, size < Self.expectsFrom { request.headers.append("Expect:") }
        return .request(request)
    }

    private mutating func sent(_ answer: UploadAnswer) -> UploadStep {
        if let failure = answer.failure { return .failed(failure, place: nil) }
        switch answer.head.status {
        case 200...299, 303:
            if answer.head.status == 207, let refusal = Self.refusal(inMultiStatus: answer.body) {
                return .failed(.httpStatus(refusal), place: nil)
            }
            return answer.isSent ? .done : .failed(.answeredEarly(status: answer.head.status), place: nil)
        case 301, 302:
            guard let location = answer.head.location, !location.isEmpty else {
                return .failed(.badResponse("status \(answer.head.status) without a Location"), place: nil)
            }
            let words = "\(TransferURL.redacted(location)); give that address, the server does not keep the method"
            return .failed(.redirectRefused(words), place: nil)
        case 307, 308:
            do throws(TransferFailure) {
                let hop = try redirects.follow(answer.head.location ?? "", from: answer.url.text, of: start)
                (url, settings) = (hop.url, hop.settings)
            } catch {
                return .failed(error, place: nil)
            }
            return send()
        // 501: a transfer coding that the server does not know, RFC 9112, 6.1.
        case 411 where size == nil, 501 where size == nil: return .needsSize
        // A folder that was made or found before is there no more. RFC 4918, 9.7.1.
        case 404, 409:
            guard order.createsFolders, !order.isSentOnce, made == nil, let folder = start.url.folder else {
                let failure = made?.failure(after: answer.head.status, at: url)
                return .failed(failure ?? .httpStatus(answer.head.status), place: nil)
            }
            folders.forget(from: folder)
            return make(FolderFirst(folder, folders, start))
        default: return .failed(.httpStatus(answer.head.status), place: nil)
        }
    }

    /// The first status in the body of a 207 that is no success; `nil`: there is none.
    ///
    /// - Source: RFC 4918, section 13: `<status>HTTP/1.1 507 Insufficient Storage</status>`.
    private static func refusal(inMultiStatus body: [UInt8]) -> Int? {
        let version = "HTTP/1."
        for index in body.indices where body[index...].starts(with: version.utf8) {
            // The minor version and a blank follow.
            let digits = body.dropFirst(index + version.utf8.count + 2).prefix(3)
            if let status = Int(String(decoding: digits, as: UTF8.self)), status >= 300 { return status }
        }
        return nil
    }
}

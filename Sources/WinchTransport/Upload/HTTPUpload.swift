import WinchHTTP
import WinchModel

/// PUT and POST: the whole body in one request, after the folders that WebDAV wants to have made before.
struct HTTPUpload: UploadDialogue {
    private enum Stage {
        case begin
        /// Folders that are to be made, the deepest last; `isClimbing`: the parents of the first may be missing too.
        case folders([TransferURL], isClimbing: Bool)
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
    private var redirects = 0
    private var folders: KnownFolders
    private var hasMadeFolders = false

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
            guard order.createsFolders, let folder = url.folder, !folders.contains(folder) else { return send() }
            stage = .folders([folder], isClimbing: true)
            return make(folder)
        case .folders(let missing, let isClimbing):
            guard let answer else { return send() }
            return made(missing, isClimbing: isClimbing, answer)
        case .sending:
            guard let answer else { return send() }
            return sent(answer)
        }
    }

    private mutating func make(_ folder: TransferURL) -> UploadStep {
        hasMadeFolders = true
        return .request(UploadRequest(folder, start.settings, method: "MKCOL"))
    }

    private mutating func made(_ missing: [TransferURL], isClimbing: Bool, _ answer: UploadAnswer) -> UploadStep {
        guard let folder = missing.first else { return send() }
        if let failure = answer.failure { return .failed(failure, place: nil) }
        switch answer.head.status {
        // Made, or there already: 405 for WebDAV's own folders, a redirect where the server lists it.
        case 200...299, 405, 301, 302:
            folders.insert(folder)
            guard missing.count > 1 else { return send() }
            stage = .folders(Array(missing.dropFirst()), isClimbing: false)
            return make(missing[1])
        case 404, 409:
            guard isClimbing, let parent = folder.folder else {
                return .failed(.httpStatus(answer.head.status), place: nil)
            }
            stage = .folders([parent] + missing, isClimbing: true)
            return make(parent)
        default: return .failed(.httpStatus(answer.head.status), place: nil)
        }
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
            guard let location = answer.head.location else {
                return .failed(.badResponse("status \(answer.head.status) without a Location"), place: nil)
            }
            let words = "\(TransferURL.redacted(location)); give that address, the server does not keep the method"
            return .failed(.redirectRefused(words), place: nil)
        case 307, 308:
            redirects += 1
            let most = start.settings.value.maxRedirects
            guard redirects <= most else { return .failed(.tooManyRedirects(most), place: nil) }
            let location = answer.head.location ?? ""
            guard let hop = RedirectedRequest(from: answer.url.text, to: location, of: start),
                !isDowngrade(to: hop.url)
            else { return .failed(.redirectRefused(TransferURL.redacted(location)), place: nil) }
            (url, settings) = (hop.url, hop.settings)
            return send()
        // 501: a transfer coding that the server does not know, RFC 9112, 6.1.
        case 411 where size == nil, 501 where size == nil: return .needsSize
        // A folder that was made or found before is there no more. RFC 4918, 9.7.1.
        case 404, 409:
            guard order.createsFolders, !order.isSentOnce, !hasMadeFolders, let folder = start.url.folder else {
                return .failed(.httpStatus(answer.head.status), place: nil)
            }
            folders.forget(from: folder)
            stage = .folders([folder], isClimbing: true)
            return make(folder)
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

    private func isDowngrade(to next: TransferURL) -> Bool {
        url.scheme == .https && next.scheme == .http && !start.settings.value.allowsDowngrade
    }
}

/// Folders that exist at servers, as far as this run knows.
final class KnownFolders {
    private var urls: Set<String> = []

    func contains(_ folder: TransferURL) -> Bool { urls.contains(folder.normal) }
    func insert(_ folder: TransferURL) {
        if urls.count >= Self.most { urls = [] }
        urls.insert(folder.normal)
    }

    /// 1 MB. Of those that are forgotten a server says that they exist.
    private static let most = 10_000

    /// The folder is missing; those above it and in it may be missing too.
    func forget(from folder: TransferURL) {
        urls = urls.filter { !$0.hasPrefix(folder.normal) }
        for parent in sequence(first: folder, next: \.folder) { urls.remove(parent.normal) }
    }
}

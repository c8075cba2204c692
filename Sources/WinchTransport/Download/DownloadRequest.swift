import Glibc
import WinchHTTP
import WinchModel

/// What one connection asks its server: for which bytes, on which condition, at which address and with which login.
///
/// An attempt may need several requests, one after the other; this says what the next one is, and that nothing is tried
/// twice which an attempt tries once.
struct DownloadRequest {
    enum Aim {
        /// - Parameters:
        ///   - startedOver: why the kept bytes are not gone on with; `nil`: there were none of this file.
        ///   - refused: the rest that the server refused to send by itself. What is kept is compared with the whole.
        case whole(startedOver: Rebase.Cause?, refused: RangeRequest? = nil)
        /// The bytes behind those that are kept.
        case rest(RangeRequest)
        /// A range of a file whose part is open.
        /// - Parameter condition: that version of it only; `nil`: a demanded checksum will tell whether it is of the same.
        case piece(Range<Int64>, condition: Validator?)
        /// The whole, unless the server still has the version of a file that is there.
        case unlessUnchanged(AlreadyCompleteFile)
        /// FTP and SFTP: there is no such file; is there a folder of the name?
        case folder(FolderQuestion)
    }

    /// False for FTP and SFTP, whose answers have no head.
    let isHTTP: Bool
    private let start: ConnectionRequest
    var aim = Aim.whole(startedOver: nil)
    /// SFTP only.
    var ssh: SSHAccess?
    private var login = EasyRequest.Login.usual
    /// Where a redirect led that libcurl did not follow; `nil`: the address of the transfer.
    private var hop: RedirectedRequest?
    private var redirects = Redirects()
    /// Where the last redirect led, without a login; for messages.
    var lastLocation: String?
    var needsFreshConnection = false
    /// The FTP server does not know the size, and libcurl takes its answer for one.
    var ignoresSize = false
    private var hasStartedOver = false
    /// Only the kept bytes tell whether the server has the same file.
    private var isComparing = false

    init(_ start: ConnectionRequest) {
        self.start = start
        isHTTP = start.url.scheme.isHTTP
    }

    /// `nil`: all of the file is asked for.
    var range: RangeRequest? {
        if case .rest(let range) = aim { range } else { nil }
    }

    /// The file that need not be fetched if the server still has it.
    var completeFile: AlreadyCompleteFile? {
        if case .unlessUnchanged(let file) = aim { file } else { nil }
    }

    var folderQuestion: FolderQuestion? {
        if case .folder(let question) = aim { question } else { nil }
    }

    var startedOver: Rebase.Cause? {
        if case .whole(let cause, _) = aim { cause } else { nil }
    }

    var refused: RangeRequest? {
        if case .whole(_, let range) = aim { range } else { nil }
    }

    /// The address that is connected to first.
    var address: TransferURL { ssh?.target.url ?? start.url }

    /// The path at the server, as a message shows it.
    var remotePath: String { PercentCoding.decoded(start.url.pathText) }

    var easyRequest: EasyRequest {
        let question = folderQuestion
        return EasyRequest(
            url: question?.url ?? hop?.url ?? address, settings: hop?.settings ?? start.settings,
            range: isHTTP ? rangeText : nil, condition: isHTTP ? condition : nil,
            resumeFrom: isHTTP ? 0 : range?.start ?? piece?.lowerBound ?? 0, isHead: question?.isHead ?? false,
            login: login,
            needsFreshConnection: needsFreshConnection, isHTTP1: piece != nil,
            asksTime: question == nil && start.asksTime, ignoresSize: ignoresSize, ssh: ssh?.request)
    }

    private var condition: String? {
        switch aim {
        case .rest(let range): range.condition.map { "If-Range: " + $0.headerValue }
        case .piece(_, let condition): condition.map { "If-Range: " + $0.headerValue }
        case .unlessUnchanged(let file): file.condition
        case .whole, .folder: nil
        }
    }

    /// The version of which a piece must be; `nil`: the server has not said, or it is another server.
    func condition(of download: Download) -> Validator? {
        if case .piece(_, let condition) = aim { condition } else { download.version.validator }
    }

    private var rangeText: String? {
        if let piece { return "\(piece.lowerBound)-\(piece.upperBound - 1)" }
        return range?.rangeText
    }

    private var piece: Range<Int64>? {
        if case .piece(let range, _) = aim { range } else { nil }
    }
}

// MARK: - What the next request is

extension DownloadRequest {
    /// Asks for what a part does not have, if anything can prove that it belongs to it; else for the whole.
    ///
    /// - Parameters:
    ///   - writtenFor: the address that the part names; `nil`: it names none.
    ///   - isProven: as `PartFile.isProven`; false: its last bytes are compared, also with a strong ETag.
    mutating func askForRest(of part: ResumePoint, writtenFor: String?, isProven: Bool) {
        let isElsewhere = start.isNewAddress || writtenFor.map { $0 != start.url.redacted } ?? false
        var range = RangeRequest(part, isElsewhere: isElsewhere, isComparing: isComparing || !isProven)
        range?.followsRefusal = start.followsRefusal
        // FTP knows no validator: the size must agree, and the overlap.
        if let range, isHTTP || range.total != nil {
            aim = .rest(range)
        } else {
            aim = .whole(startedOver: startedOver)
        }
    }

    /// The first byte of a listing has come.
    ///
    /// - Returns: false when no folder was asked about.
    mutating func noteListing() -> Bool {
        guard case .folder(var question) = aim else { return false }
        question.isAnswered = true
        aim = .folder(question)
        return true
    }

    /// Asks for the whole, from the address of the transfer.
    ///
    /// - Returns: false when this was tried before in the attempt.
    mutating func startOver(_ cause: Rebase.Cause) -> Bool {
        guard !hasStartedOver else { return false }
        hasStartedOver = true
        returnToAddress()
        aim = .whole(startedOver: cause, refused: cause == .rangeRefused ? range : nil)
        return true
    }

    /// Asks once more for the rest that the server has refused.
    mutating func repeatRest() {
        guard var range = refused else { return }
        (range.isRepeated, range.followsRefusal) = (true, true)
        hasStartedOver = false
        returnToAddress()
        aim = .rest(range)
    }

    /// From now on a rest is asked for with an overlap.
    ///
    /// - Returns: false when it was so already.
    mutating func startComparing() -> Bool {
        guard !isComparing else { return false }
        isComparing = true
        returnToAddress()
        return true
    }

    /// Digest is tried after a Basic that was sent unasked.
    ///
    /// - Returns: false when there is no login, or Digest was tried.
    mutating func useDigest() -> Bool {
        guard let next = login.digest(start.settings.value, at: start.url) else { return false }
        login = next
        returnToAddress()
        return true
    }

    mutating func returnToAddress() { hop = nil }

    /// Asks at the address that a redirect names.
    ///
    /// - Parameters:
    ///   - location: as the server wrote it.
    ///   - base: the address that answered; `nil`: libcurl does not know it.
    ///   - counted: redirects that libcurl followed in this request.
    mutating func follow(_ location: String, from base: String?, counted: Int) throws(TransferFailure) {
        let hop = try redirects.follow(location, from: base ?? "", of: start, counted: counted)
        self.hop = hop
        lastLocation = hop.url.redacted
    }
}

/// The redirects of an attempt that libcurl does not follow.
struct Redirects {
    private var count = 0

    /// - Parameters:
    ///   - base: the address that answered.
    ///   - counted: redirects that libcurl has followed in this request.
    mutating func follow(
        _ location: String, from base: String, of start: ConnectionRequest, counted: Int = 0
    ) throws(TransferFailure) -> RedirectedRequest {
        let hop = try RedirectedRequest(from: base, to: location, of: start.url, start.settings)
        count += max(0, counted) + 1
        let most = start.settings.value.maxRedirects
        guard count <= most else { throw .tooManyRedirects(most) }
        return hop
    }
}

/// The address that a redirect names, and what may be told to its host.
struct RedirectedRequest {
    let url: TransferURL
    /// Without secrets where the origin is another one than that of the request.
    let settings: Shared<TransferSettings>

    /// - Parameters:
    ///   - base: the address that answered.
    ///   - location: as the server wrote it.
    ///   - start: the address of the transfer.
    ///   - given: the settings for requests to it.
    /// - Throws: `.redirectRefused` for an address that is none of a web server, or that leads from https to http, which the
    ///   user has not allowed.
    init(
        from base: String, to location: String, of start: TransferURL, _ given: Shared<TransferSettings>
    ) throws(TransferFailure) {
        let shown = TransferURL.redacted(location)
        guard var url = TransferURL(location, relativeTo: base), url.scheme.isHTTP else {
            throw .redirectRefused(shown)
        }
        guard url.isEncrypted || base.prefix(6).lowercased() != "https:" || given.value.allowsDowngrade else {
            throw .redirectRefused(shown + " is not secured (--allow-downgrade)")
        }
        // A relative address inherits the login of the request's URL, which the settings have: the address may be stored.
        if let login = url.login, let own = start.login, login == own, url.origin == start.origin {
            url = (try? TransferURL(url.redacted)) ?? url
        }
        (self.url, settings) = (url, given.sent(to: url, namedBy: start))
    }
}

/// An FTP or SFTP server has no such file: is it a folder? Asked with a slash at the end of the path.
struct FolderQuestion {
    private let original: TransferFailure
    let url: TransferURL
    var isAnswered = false

    /// - Returns: `nil` when the failure has nothing to do with folders.
    init?(after code: CurlCode, _ failure: TransferFailure, of url: TransferURL) {
        // OpenSSH opens a folder as it does a file, and fails when it is to be read.
        let mayBeFolder =
            switch url.scheme {
            case .http, .https: false
            case .ftp, .ftps: code == .remoteFileNotFound
            case .sftp: code == .ssh
            }
        guard mayBeFolder, let folder = url.asFolder else { return nil }
        original = failure
        self.url = folder
    }

    /// By FTP the change into the folder answers it, by SFTP the first byte of the listing.
    var isHead: Bool { url.scheme != .sftp }

    func failure(_ code: CurlCode, path: String) -> TransferFailure {
        code == .ok || isAnswered ? .remoteFile(.folder, path: path) : original
    }
}

/// A file that an earlier run finished, and that need not be fetched once more.
struct AlreadyCompleteFile {
    var name: String
    var size: Int64
    var validator: Validator

    /// `If-None-Match: "v1"`: the server says whether it still has this version, and sends nothing then.
    var condition: String {
        switch validator {
        case .strongETag(let tag): "If-None-Match: " + tag
        case .lastModified(let date): "If-Modified-Since: " + date
        }
    }

    func isConfirmed(by head: ResponseHead) -> Bool {
        head.status == 304 || head.status == 200 && validator == head.validator && head.bodyLength == size
    }

    /// The file that has the target's name, or the name with one of the first numbers, if the ledger knows that it came from this
    /// address, or it says that itself, and it is as long as it was then, and has not been written to since.
    ///
    /// With hashes to hold the bytes themselves are wanted, and the file is fetched and compared as any other; without them it
    /// must have the size that a Metalink or the listing of its folder names: the server may confirm a date that has stayed the
    /// same with other bytes.
    static func find(for request: ConnectionRequest, at target: DownloadTarget) -> AlreadyCompleteFile? {
        let settings = request.settings.value
        guard request.url.scheme.isHTTP, settings.checksum == nil,
            request.listedChecksum == nil, request.pieces == nil,
            settings.onConflict == .rename || settings.onConflict == .overwrite
        else { return nil }
        for number in 0..<(settings.onConflict == .rename ? namesTried : 1) {
            let name = number == 0 ? target.name : TargetName.numbered(target.preferredName, number)
            guard let status = target.folder.status(of: name) else { return nil }
            if let found = AlreadyCompleteFile(name, status, in: target.folder, of: request),
                found.size == request.listedSize?.bytes ?? found.size,
                request.listedVersion?.size?.contains(found.size) ?? true
            {
                return found
            }
        }
        return nil
    }

    /// Files of the same name from other addresses that are passed over.
    private static let namesTried = 8

    private init?(_ name: String, _ status: stat, in folder: TargetFolder, of request: ConnectionRequest) {
        let identity = FileIdentity(status)
        // Small files get no attributes: thousands of them cost more than the files.
        let known = request.finishedFile.flatMap { $0.identity == identity ? $0.validator : nil }
        guard status.isFile,
            let validator = known ?? Self.validatorInAttributes(name, identity, in: folder, of: request.url)
        else { return nil }
        self.name = name
        size = Int64(status.st_size)
        self.validator = validator
    }

    private static func validatorInAttributes(
        _ name: String, _ identity: FileIdentity, in folder: TargetFolder, of url: TransferURL
    ) -> Validator? {
        guard let file = folder.opened(name), let attributes = PartAttributes.read(fromFinished: file),
            attributes.areFinished(of: url), attributes.version.total == identity.length
        else { return nil }
        // Earlier versions have not written down the time.
        let modified = Attribute.modified.get(from: file)
        return modified == nil || modified == "\(identity.modified)" ? attributes.version.validator : nil
    }
}

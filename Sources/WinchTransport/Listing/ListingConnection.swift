import CTransport
import WinchHTTP
import WinchListing
import WinchModel

/// One attempt at listing a folder: the requests of its dialogue, and the transfers that their answers name. Used on the loop's
/// thread only.
final class ListingConnection: TransferConnection {
    let request: ConnectionRequest
    let outbox: Outbox
    var easy: EasyHandle?
    var speed: SpeedWatch
    private(set) var ssh: SSHAccess?
    private var order: FolderOrder
    /// The row's, from which those of its entries are made.
    private let spec: TransferSpec
    private let copied: CopiedFolders
    private let wallClock: @Sendable () -> Int64

    private var dialogue: any ListingDialogue
    private var asked: ListingRequest?
    /// Of the first request: a redirect leads to another.
    private var firstPage: TransferURL?
    private var login = EasyRequest.Login.usual
    var needsFreshConnection = false
    var reader = HeadReader()
    /// Of a web server's refusal.
    private var refusal = AnswerBody()

    /// `nil`: the form of the answer is not known yet.
    private var parser: (any ListingParser)?
    /// The first bytes of a page, until they show its form.
    private var beginning: [UInt8] = []
    /// `nil`: no form is known.
    private var listing: ListingReader?
    private var hasEntries = false
    /// Bytes of the request's answer, and of all before.
    private var size = (now: 0, before: 0)
    /// Bytes that were read in one turn of the loop.
    private var turn: (start: Moment?, bytes: Int) = (nil, 0)
    private var content = ListingAnswer.Content.none
    /// Why the request was ended from here.
    private var fault: TransferFailure?
    private var isConnected = false

    private var pending: [TransferSpec] = []
    private var pendingSince: Moment
    private var hasReported = false

    enum Ending {
        case again(EasyRequest)
        /// - Parameters:
        ///   - specs: those that were not reported.
        ///   - isEmpty: the folder has no entries at all, and is to be made here.
        ///   - fingerprint: `nil` of a folder whose listing has no form.
        case listed([TransferSpec], warning: TransferWarning?, isEmpty: Bool, fingerprint: UInt64?)
        case failed(TransferFailure)
    }

    /// - Parameter settings: of the request, without what the user has typed for the server.
    init(
        _ request: ConnectionRequest, _ order: FolderOrder, _ settings: Shared<TransferSettings>, outbox: Outbox,
        sshHome: SSHHome, copied: CopiedFolders, wallClock: @escaping @Sendable () -> Int64
    ) throws(TransferFailure) {
        self.request = request
        self.order = order
        self.outbox = outbox
        self.copied = copied
        self.wallClock = wallClock
        speed = SpeedWatch(request, at: outbox.now)
        pendingSince = outbox.now
        var spec = TransferSpec(urls: [request.url], folder: request.folder, settings: settings)
        spec.namedParts = request.namedParts
        spec.folderOrder = order
        self.spec = spec
        var url = request.url
        if url.pathText.last != "/" { url = (try? TransferURL(url.text + "/")) ?? url }
        switch url.scheme {
        case .http, .https:
            dialogue = WebListing(url, order, mostRedirects: request.settings.value.maxRedirects)
        case .ftp, .ftps: dialogue = FTPListing(url, form: order.form)
        case .sftp:
            let access = try SSHAccess(url, request.settings.value, sshHome, at: outbox.now)
            ssh = access
            dialogue = SFTPFolderListing(target: access.target.url, page: url)
        }
    }

    /// - Returns: the first request.
    func begin() -> Ending { next(after: nil) }

    private func next(after answer: ListingAnswer?) -> Ending {
        switch dialogue.next(after: answer) {
        case .request(let next):
            if let answer, (300...399).contains(answer.head.status) {
                report(.redirected(next.url.redacted, status: answer.head.status))
            }
            asked = next
            firstPage = firstPage ?? next.page
            needsFreshConnection = false
            return again()
        case .done where order.isCounting: return .failed(count)
        case .done:
            if let reason = ssh?.takeSaveFailure() { report(.warned(.hostKeyNotKept(reason: reason))) }
            gather()
            guard var listing else {
                return .listed(pending, warning: nil, isEmpty: !order.isDry, fingerprint: nil)
            }
            let end = listing.end(copies: listing.copied.map(copied.add) ?? 0)
            return .listed(
                pending + end.specs, warning: end.warning, isEmpty: end.isEmpty && !order.isDry,
                fingerprint: listing.ownFingerprint)
        case .failed(let failure): return .failed(failure)
        }
    }

    func failed(_ failure: TransferFailure) -> Ending { .failed(failure) }

    func again() -> Ending {
        guard let asked else { return .failed(.other("no request")) }
        reader = HeadReader()
        refusal = AnswerBody()
        (parser, beginning, content, fault) = (nil, [], .none, nil)
        size = (0, size.before + size.now)
        var upload: EasyUpload?
        // Redirects of web servers are followed from here, and only to where the tree is.
        if isHTTP || asked.method != nil {
            var extra = EasyUpload()
            (extra.method, extra.headers) = (asked.method, asked.headers)
            upload = extra
        }
        return .again(
            EasyRequest(
                url: asked.url, settings: request.settings, login: login, needsFreshConnection: needsFreshConnection,
                ssh: ssh?.request, upload: upload))
    }

    /// What the user is asked about.
    private var count: TransferFailure {
        let path = PercentCoding.decoded(request.url.pathText)
        return listing?.count(path: path) ?? .remoteFolder(path: path, files: 0, folders: 0, isMore: false)
    }

    /// Bytes of all answers.
    var bytes: Int64 { Int64(size.before + size.now) }
}

// MARK: - The answer

extension ListingConnection {
    func end(_ code: CurlCode, _ easy: EasyHandle) -> Ending {
        if let ending = endRefused(code, easy) ?? endLogin(code, easy) { return ending }
        if head.status == 401, head.offersDigest, let next = login.digest(settings, at: request.url) {
            login = next
            return again()
        }
        if code == .ok, !isHTTP { noteConnection() }
        return next(after: answer(code, easy))
    }

    private func answer(_ code: CurlCode, _ easy: EasyHandle) -> ListingAnswer {
        var answer = ListingAnswer(code: code, head: head, body: refusal.bytes, refusal: reader.refusal)
        if !isHTTP { answer.reply = Int(max(0, easy.fact(WINCH_RESPONSE_CODE))) }
        // The request was ended from here, or the rest of a refusal was not read.
        if content != .none || fault != nil || reader.isWhole && head.status >= 300 { answer.code = .ok }
        if answer.code != .ok {
            answer.failure = curlFailure(code, easy)
        } else if let failure = fault ?? refusedHead {
            answer.failure = failure
        } else if content == .none {
            readEnd()
            answer.failure = fault
        }
        answer.content = content
        return answer
    }

    /// Why the head of a web server's answer brings no listing; `nil`: it does.
    private var refusedHead: TransferFailure? {
        guard isHTTP else { return nil }
        if let fault = head.framingFault { return .badResponse(fault) }
        guard !isGood else { return nil }
        guard case .fail(let failure) = ResponseVerdict(head, asked: nil) else {
            return .badResponse("unexpected status \(head.status)")
        }
        guard let status = failure.httpStatus else { return failure }
        let url = asked?.url ?? request.url
        return .status(status, of: url, request.settings.value, offers: head.foreignLogins)
    }

    /// The body is a listing.
    private var isGood: Bool { head.status == 200 || head.status == 207 && asked?.form == .dav }

    private func readEnd() {
        if parser == nil { useForm() }
        do throws(ListingFault) {
            let end = try parser?.end({ take($0) })
            if let fault = listing?.fault { throw fault }
            switch end {
            case .complete?: content = .complete
            case .continued(let token, let isMarker)?: content = .continued(token: token, isMarker: isMarker)
            case nil: throw ListingFault("this page is no list of a folder's files")
            }
        } catch {
            note(error)
            // Without a length the body ends where the connection is cut.
            if head.endsWithConnection, listing?.fault == nil, (parser as? HTMLIndex)?.isIndex == true {
                fault = .connectionLost(error.message)
            }
        }
        gather()
    }

    private func note(_ error: ListingFault) {
        fault = .badResponse(error.message)
        if isNoListing || parser == nil { content = .noListing }
    }

    /// A page that has not shown to be a list.
    private var isNoListing: Bool { (parser as? HTMLIndex)?.isIndex == false }

    private func curlFailure(_ code: CurlCode, _ easy: EasyHandle) -> TransferFailure {
        if let busyReply = reader.busyReply { return .serverBusy(reply: busyReply) }
        var failure = curlFailure(code, of: easy)
        (failure.isOpen, failure.have) = (size.now > 0, ByteCount(bytes: Int64(size.now)))
        failure.expected = head.bodyLength.map { ByteCount(bytes: $0) }
        return failure.transferFailure
    }

    private func noteConnection() {
        guard !isConnected, easy != nil else { return }
        isConnected = true
        reportConnection()
    }
}

extension ListingConnection {
    func refuseHead() { if isHTTP { fault = .badResponse("response headers are too long") } }

    func takeHead() -> Bool {
        if head.status >= 200, head.status != 401, !(300...399).contains(head.status) { noteConnection() }
        return true
    }

    func take(body bytes: UnsafeRawBufferPointer) -> BodyAnswer {
        guard !isHTTP || isGood else {
            speed.take(head: bytes.count)
            return refusal.take(bytes, wanted: ServerReply.longest) ? .taken : .refused
        }
        guard mayRead(bytes.count) else {
            speed.hold()
            return .notNow
        }
        guard speed.take(body: bytes.count, at: outbox.now) else { return .notNow }
        if !isHTTP { noteConnection() }
        size.now += bytes.count
        return read(bytes) ? .taken : .refused
    }

    /// Entries take longer to read than to send: libcurl would find more bytes of a quick server each time, and the turn would
    /// have no end, in which nothing is reported and no order is carried out.
    private func mayRead(_ count: Int) -> Bool {
        guard isHTTP else { return true }
        if turn.start != outbox.now { turn = (outbox.now, 0) }
        guard turn.bytes < Self.bytesOfTurn else { return false }
        turn.bytes += count
        return true
    }

    /// 256 KiB: some thousand entries, which take some milliseconds.
    private static let bytesOfTurn = 256 << 10

    /// The rest of the bytes waits for the next turn alone.
    var awaitsTurn: Bool { speed.nextRelease(at: outbox.now) == nil && speed.isHeld }

    // MARK: The entries

    private func read(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard parser == nil else { return parse(bytes) }
        if asked?.form == nil {
            if let coding = head.contentCoding {
                fault = .badResponse("the folder's listing is encoded with \(coding), which was not asked for")
                return false
            }
            beginning += bytes
            guard let form = WebListing.form(of: beginning) else { return true }
            guard form != .s3 else {
                content = .bucket
                return false
            }
            asked?.form = form
            useForm()
            let first = beginning
            beginning = []
            return first.withUnsafeBytes { parse($0) }
        }
        useForm()
        return parse(bytes)
    }

    /// The form of the answer is known, if one is.
    private func useForm() {
        guard let asked, let form = asked.form else { return }
        let path = String(asked.page.pathText)
        switch form {
        case .mlsd: parser = MachineList()
        case .list: parser = LongList(now: wallClock())
        case .sftp: parser = LongList(now: wallClock(), isSFTP: true)
        case .dav: parser = DavList(path: path)
        case .s3: parser = BucketList(prefix: asked.prefix, after: asked.token)
        case .html: parser = HTMLIndex(path: path, now: wallClock())
        case .json: parser = JSONIndex()
        }
        guard listing == nil || !hasEntries else { return }
        // The server has moved the start: what is there is the tree.
        if order.level == 0, asked.page != firstPage {
            var rules = order.rules.value
            rules.start = asked.page
            order.rules = Shared(rules)
        }
        listing = ListingReader(order: order, like: spec, page: asked.page, form: form)
    }

    /// 64 KiB: a list says that it is one before its first entry.
    private static let longestPrologue = 64 << 10

    private func parse(_ bytes: UnsafeRawBufferPointer) -> Bool {
        do throws(ListingFault) {
            try parser?.read(bytes, { take($0) })
            if let fault = listing?.fault { throw fault }
            guard size.now < Self.longestPrologue || !isNoListing else {
                throw ListingFault("this page is no list of a folder's files")
            }
        } catch {
            note(error)
            return false
        }
        if listing?.hasMore ?? false {
            content = .complete
            return false
        }
        gather()
        reportFound()
        return true
    }

    private func take(_ entry: ListedEntry) {
        hasEntries = true
        listing?.take(entry)
    }

    private func gather() {
        guard let files = listing?.takeFiles(), !files.isEmpty else { return }
        if pending.isEmpty { pendingSince = outbox.now }
        pending += files
    }

    /// The first files are reported at once, so that their transfers start; later ones by the thousand, ten times a second.
    ///
    /// - Parameter isLast: the listing has failed; the files that it has named stay.
    func reportFound(isLast: Bool = false) {
        let (most, span): (Int, Duration) =
            hasReported ? (Self.chunk, .milliseconds(100)) : (Self.firstChunk, .milliseconds(50))
        let isDue = isLast || pending.count >= most || outbox.now - pendingSince >= span
        guard !pending.isEmpty, isDue else { return }
        hasReported = true
        for start in stride(from: 0, to: pending.count, by: Self.chunk) {
            report(.found(Array(pending[start..<min(start + Self.chunk, pending.count)])))
        }
        pending = []
    }

    private static let (firstChunk, chunk) = (16, 1000)

    /// Ten times a second.
    ///
    /// - Returns: why the connection ends.
    func check() -> TransferFailure? {
        reportFound()
        return speed.failure(at: outbox.now, isReceiving: false)
    }
}

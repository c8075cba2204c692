import CTransport
import WinchHTTP
import WinchModel

/// One of libcurl's handles, used for many transfers one after the other. Used on the loop's thread only.
final class EasyHandle {
    private(set) var raw: OpaquePointer
    /// Takes head and body of the answer; `nil` while the handle is not in use.
    var receiver: (any ResponseReceiver)?
    let loop: LoopExecutor
    /// libcurl writes an error's words here; its size is libcurl's CURL_ERROR_SIZE.
    private let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: 256)
    private var options: EasyOptions?
    /// Options were set that `options` does not know: the next request starts from nothing.
    private var needsReset = false
    /// libcurl 7.88 takes the host of a Host line for that of all cookies as long as the handle lives.
    private var hadHostLine = false
    /// Of an upload; live as long as libcurl may use them.
    private var commands: [LineList] = []
    private let openingListener = UnsafeMutablePointer<winch_socket_listener>.allocate(capacity: 1)
    private(set) var newestSocket: Int32?
    /// Of the request under way.
    private(set) var scheme = TransferURL.Scheme.http
    /// The server of the transfer, as in `TransferURL.server`.
    var server = ""
    /// The socket that the last request went out on; `nil` when it is not known, or no longer used.
    var socket: OpenSockets.Entry?
    var refusal: Refusal?
    /// The end of a body is watched; bytes of it that are due, if their number is known.
    var isWatching = false
    var bodyLeft: Int64?
    /// Of a body that is held: libcurl gives its bytes once more, and the receiver has taken so many of them.
    private var takenAhead = 0

    /// `nil` when memory is out.
    init?(loop: LoopExecutor) {
        guard let raw = winch_easy_new() else { return nil }
        self.raw = raw
        self.loop = loop
        errorText.initialize(repeating: 0, count: 256)
        openingListener.initialize(
            to: winch_socket_listener(
                opened: { context, socket in
                    guard let easy = EasyHandle.of(context) else { return }
                    easy.newestSocket = socket
                    easy.loop.sockets.opened(socket)
                }, closed: { _, _ in }, context: Unmanaged.passUnretained(self).toOpaque()))
    }

    deinit {
        free()
        errorText.deallocate()
        openingListener.deallocate()
    }

    /// Makes the handle ready for `request`, changing only what differs from the one before.
    ///
    /// - Parameter cookies: in place of those that the handle has, each as a line of a cookie file; `nil`: the request is another of
    ///   the same receiver, which keeps its cookies.
    func prepare(
        _ request: EasyRequest, for receiver: any ResponseReceiver, cookies: [String]? = nil
    ) throws(TransferFailure) {
        errorText[0] = 0
        refusal = nil
        takenAhead = 0
        scheme = request.url.scheme
        endWatch()
        newestSocket = nil
        let hasHostLine = request.settings.value.hasLine("host")
        var cookies = cookies
        if hadHostLine, !hasHostLine {
            cookies = cookies ?? self.cookies
            try renew()
        }
        hadHostLine = hasHostLine
        if request.upload == nil, !needsReset, var options,
            options.settings === request.settings || options.settings == request.settings
        {
            let code = options.change(to: request, on: raw)
            self.options = options
            try check(code)
        } else {
            if let failure = request.settings.value.fileFault { throw failure }
            options = nil
            commands = []
            winch_easy_reset(raw)
            // A reset leaves libcurl its cookies, and the files that it reads them from.
            if cookies != nil { _ = winch_easy_set_text(raw, WINCH_COOKIE_FILE, nil) }
            try check(setCallbacks())
            var fresh = EasyOptions(settings: request.settings, headers: request.upload?.headers ?? [])
            let context = Unmanaged.passUnretained(self).toOpaque()
            fresh.asksAboutHostKeys = winch_easy_set_host_key_judge(raw, context) { context, _, key, count in
                let bytes = UnsafeRawBufferPointer(start: key, count: count)
                return EasyHandle.of(context)?.receiver?.ssh?.accepts(Array(bytes)) == true ? 0 : 1
            }
            var code = fresh.setAll(on: raw, of: loop, opening: openingListener)
            if code == 0 { code = fresh.change(to: request, on: raw) }
            if code == 0, let upload = request.upload { code = prepare(upload) }
            // libcurl would send the next request of the handle the login by the method that a server asked for in this one.
            needsReset = request.upload != nil || request.settings.value.hasUser(at: request.url)
            options = fresh
            try check(code)
        }
        for line in cookies.map({ ["ALL"] + $0 }) ?? [] { _ = winch_easy_set_text(raw, WINCH_COOKIES, line) }
        addCookies(of: request.settings.value, at: request.url)
        self.receiver = receiver
    }

    private func renew() throws(TransferFailure) {
        guard let fresh = winch_easy_new() else { throw .other("out of memory") }
        free()
        (raw, options) = (fresh, nil)
    }

    private func free() {
        // `winch_easy_free` may log, and the context of the log callback is this object.
        _ = winch_easy_set_number(raw, WINCH_VERBOSE, 0)
        winch_easy_free(raw)
    }

    private func prepare(_ upload: EasyUpload) -> Int32 {
        var setter = OptionSetter(easy: raw)
        setter.set(WINCH_FOLLOW, 0)
        if upload.hasBody {
            setter.set(WINCH_UPLOAD, 1)
            setter.note(winch_easy_set_size(raw, WINCH_BODY_SIZE, upload.bodySize ?? -1))
            setter.set(WINCH_UPLOAD_BUFFER_SIZE, upload.buffer(scheme))
        }
        if upload.isUpToTLS12 { setter.set(WINCH_TLS_VERSIONS, Int(WINCH_TLS_UP_TO_1_2)) }
        if let method = upload.method { setter.set(WINCH_METHOD, method) }
        // 2: makes the folder, and enters it again.
        if upload.createsFolders { setter.set(WINCH_CREATE_FOLDERS, 2) }
        commands = [LineList(upload.commandsBefore), LineList(upload.commandsAfter)]
        setter.note(winch_easy_set_commands(raw, commands[0].first, commands[1].first))
        setter.note(
            winch_easy_set_source(
                raw, Unmanaged.passUnretained(self).toOpaque(),
                { bytes, _, count, context in
                    let room = UnsafeMutableRawBufferPointer(start: bytes, count: count)
                    guard let easy = EasyHandle.of(context) else { return winch_easy_abort }
                    switch (easy.receiver as? UploadConnection)?.give(into: room) {
                    case .given(let count): return count
                    case .notYet:
                        easy.loop.hasHeld = true
                        return winch_easy_wait
                    case .refused, nil: return winch_easy_abort
                    }
                },
                { context, position, origin in
                    guard origin == 0, let sender = EasyHandle.of(context)?.receiver as? UploadConnection else {
                        return 1
                    }
                    return sender.seek(to: position) ? 0 : 1
                }))
        return setter.code
    }

    /// libcurl is about to follow the redirect of a head that names one, and would send all but the login also to another origin.
    ///
    /// - Parameters:
    ///   - start: the address of the transfer.
    ///   - settings: for requests to it.
    /// - Throws: why the redirect must not be followed.
    func willFollow(
        _ head: ResponseHead, from start: TransferURL, _ settings: Shared<TransferSettings>
    ) throws(TransferFailure) {
        guard (300...399).contains(head.status), let location = head.location, !location.isEmpty, let options else {
            return
        }
        let hop = try RedirectedRequest(from: effectiveURL ?? "", to: location, of: start, settings)
        let sent = hop.settings
        addCookies(of: sent.value, at: hop.url)
        // Equal: the origin gets all secrets, or there are none; the handle has them unless an earlier hop was elsewhere.
        guard sent != options.settings || needsReset else { return }
        needsReset = true
        // Those of the line's host would go to the other as well.
        if hadHostLine, !sent.value.hasLine("host") { _ = winch_easy_set_text(raw, WINCH_COOKIES, "ALL") }
        _ = options.follow(with: sent.value, on: raw)
    }

    /// Those that the user gave as a header line.
    private func addCookies(of settings: TransferSettings, at url: TransferURL) {
        var setter = OptionSetter(easy: raw)
        let answered = settings.hasLine("cookie") ? cookies : []
        setter.set(WINCH_COOKIE, RequestHeaders.cookies(in: settings.headers, besides: answered, at: url))
    }

    /// The cookies that this handle would send, each as a line of a cookie file.
    var cookies: [String] {
        let list = winch_easy_cookies(raw)
        defer { winch_list_free(list) }
        var (lines, next): ([String], OpaquePointer?) = ([], list)
        while let line = next {
            if let text = winch_list_text(line) { lines.append(String(cString: text)) }
            next = winch_list_next(line)
        }
        return lines
    }

    /// False when something of this transfer stays in the handle that the next must not have: the cookies of a file.
    var isReusable: Bool { options?.settings.value.cookieFile == nil }

    /// False for a handle that would read 16 KiB at a time after a reset. libcurl 7.88 does not free the receive buffer of a request
    /// that ends while others use its HTTP/2 connection, and refuses to set the size again before. HTTP/2 reads no more at a time
    /// anyway, so that such a request may be followed by another of its own transfer.
    var hasFreedBuffer: Bool { winch_easy_set_number(raw, WINCH_BUFFER_SIZE, EasyOptions.receiveBuffer) == 0 }

    /// The transfer ends with `CurlCode.timedOut` when no reply of an FTP server comes for so long. May be called in a callback.
    func awaitReply(seconds: Int) {
        _ = winch_easy_set_number(raw, WINCH_REPLY_TIMEOUT, seconds)
        needsReset = true
    }

    /// Gives the receiver bytes of a body, in pieces that are not too large for it.
    ///
    /// - Returns: as libcurl wants it.
    private func take(body bytes: UnsafeRawBufferPointer) -> Int {
        guard let receiver else { return 0 }
        var place = min(takenAhead, bytes.count)
        takenAhead -= place
        if place > 0, place == bytes.count { return place }
        repeat {
            let count = Int(min(Int64(bytes.count - place), receiver.largestPiece))
            switch receiver.take(body: UnsafeRawBufferPointer(rebasing: bytes[place..<place + count])) {
            case .taken: place += count
            case .notNow:
                takenAhead = place
                loop.hasHeld = true
                return winch_easy_hold
            case .refused: return 0
            }
        } while place < bytes.count
        return place
    }

    /// Goes on with a body that was answered with `notNow`; at once, from within this call. Not from a callback.
    func release() { winch_easy_release(raw) }

    /// libcurl's words for what went wrong; empty when it has none.
    func words(for code: CurlCode) -> String {
        errorText[0] != 0 ? String(cString: errorText) : String(cString: winch_easy_words(code.rawValue))
    }

    /// The TLS connection of the transfer under way; `nil` without one.
    var tlsConnection: UnsafeRawPointer? { winch_easy_tls_connection(raw) }

    /// The connection is closed, or kept for the next transfer.
    func leaveSocket() {
        socket?.users -= 1
        socket = nil
    }

    /// Bounds what the system takes from the server ahead of the transfer's limit, unless other transfers share the connection.
    func boundReceiveBuffer(to limit: ByteRate?) {
        // By FTP the body has a socket of its own.
        let entry = scheme.isFTP ? newestSocket.flatMap { loop.sockets.entry(of: $0) } : socket
        if let entry, entry.users <= 1 { entry.setReceiveBuffer(for: limit) }
    }

    /// -1 when libcurl does not know it.
    func fact(_ fact: winch_fact) -> Int64 { winch_easy_fact(raw, fact) }

    /// The address of the request that is under way.
    var effectiveURL: String? { winch_easy_effective_url(raw).map { String(cString: $0) } }

    private func check(_ code: Int32) throws(TransferFailure) {
        if code != 0 { throw .other(String(cString: winch_easy_words(code))) }
    }

    private func setCallbacks() -> Int32 {
        winch_easy_set_callbacks(
            raw, Unmanaged.passUnretained(self).toOpaque(),
            { bytes, _, count, context in
                EasyHandle.of(context)?.take(body: UnsafeRawBufferPointer(start: bytes, count: count)) ?? 0
            },
            { bytes, _, count, context in
                EasyHandle.of(context)?.receiver?.take(header: UnsafeRawBufferPointer(start: bytes, count: count))
                    == true ? count : 0
            },
            { context, _, _, remote, local in
                guard let easy = EasyHandle.of(context), easy.mayRequest(local: local, remote: remote) else { return 1 }
                easy.receiver?.willSendRequest()
                return 0
            },
            { _, kind, bytes, count, context in
                EasyHandle.of(context)?.take(told: Int(kind), UnsafeRawBufferPointer(start: bytes, count: count))
                return 0
            },
            errorText)
    }

    /// The handle a callback is for. Callbacks come from `perform`, so this is the loop's thread.
    private static func of(_ context: UnsafeMutableRawPointer?) -> EasyHandle? {
        guard let context else { return nil }
        let easy = Unmanaged<EasyHandle>.fromOpaque(context).takeUnretainedValue()
        easy.loop.checkIsolated()
        return easy
    }
}

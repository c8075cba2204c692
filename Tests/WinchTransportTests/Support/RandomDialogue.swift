import TestSupport

@testable import WinchHTTP
@testable import WinchModel
@testable import WinchTransport

/// One upload's dialogue with a server that gives random answers, of which it repeats a few again and again.
struct RandomDialogue {
    enum Kind: CaseIterable {
        case put, post, folders, tus, ftp, sftp
    }

    private var random: SplitMix64
    private let kind: Kind
    /// `nil`: of a stream.
    private let size: Int64?
    private let start: ConnectionRequest
    private let order: UploadOrder
    private let source: FileIdentity?
    /// Answers that come one after the other, from the first again.
    private var habit: [UploadAnswer] = []
    private var answers = 0
    private(set) var transcript: [String] = []

    private static let content = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    /// No honest server needs as many requests for the sizes in use.
    private static let mostSteps = 400

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
        kind = Kind.allCases[Self.pick(0...Kind.allCases.count - 1, &random)]
        let length = Int64([0, 1, 70_000, 100_000, 3_000_000][Self.pick(0...4, &random)])
        let isStream = kind != .tus && Self.pick(0...5, &random) == 0
        size = isStream ? nil : length
        source = isStream ? nil : FileIdentity(device: 1, node: 2, length: length, modified: 3)
        var order = UploadOrder(isStream ? .standardInput : .file("/x"), method: kind == .post ? .post : .put)
        order.httpProtocol = kind == .tus ? .tus : .plain
        order.createsFolders = kind == .folders
        order.usesTemporaryName = Self.pick(0...4, &random) > 0
        self.order = order
        var settings = TransferSettings()
        settings.user = "me"
        settings.maxRedirects = Self.pick(0...5, &random)
        let scheme =
            switch kind {
            case .put, .post, .folders, .tus: ["http", "https"][Self.pick(0...1, &random)]
            case .ftp: "ftp"
            case .sftp: "sftp"
            }
        let path = ["a/b/c/x", "x", "%0Ax%00", "a%22b/x%5C"][Self.pick(0...3, &random)]
        // The texts above are URLs.
        let url = (try? TransferURL("\(scheme)://h/\(path)")) ?? TransferURL(checked: "http://h/x")
        var start = ConnectionRequest(
            connection: ConnectionID(transfer: TransferID(1)), url: url, folder: "/", name: nil,
            settings: Shared(settings))
        if Self.pick(0...1, &random) == 0 {
            let own = Self.fileServer(start, order, size, source).firstPlace
            let names = [own?.name ?? "http://h/files/1", "http://other/files/1", "", ".winch-0.part", "no URL"]
            let place = UploadPlace(name: names[Self.pick(0...4, &random)], source: source)
            start.resume = ResumePoint(
                upload: place, have: ByteCount(Int64(Self.pick(0...4_000_000, &random))),
                total: size.map(ByteCount.init(bytes:)), name: "x")
        }
        self.start = start
        habit = (0..<Self.pick(1...6, &random)).map { _ in answer() }
    }

    private static func fileServer(
        _ start: ConnectionRequest, _ order: UploadOrder, _ size: Int64?, _ source: FileIdentity?
    ) -> FTPAndSFTPUpload {
        FTPAndSFTPUpload(start, order, to: start.url, size: size, source: source) { range in
            range.upperBound <= content.count ? Array(content[Int(range.lowerBound)..<Int(range.upperBound)]) : nil
        }
    }

    private var dialogue: any UploadDialogue {
        switch kind {
        case .put, .post, .folders:
            HTTPUpload(start, order, contentType: "a/b", size: size, folders: KnownFolders())
        case .tus:
            TusUpload(start, order, contentType: "a/b", size: size ?? 0, source: source)
        case .ftp, .sftp: Self.fileServer(start, order, size, source)
        }
    }

    /// - Returns: the promise that was broken, or `nil`.
    mutating func fault() -> String? {
        var dialogue = dialogue
        var answer: UploadAnswer?
        var asked: UploadRequest?
        var hasSent = false
        for _ in 0..<Self.mostSteps {
            switch dialogue.next(after: answer) {
            case .request(let request):
                note("\(request.method ?? "-") \(request.url.text) \(request.body.map { "\($0)" } ?? "")")
                if let fault = fault(in: request) { return fault }
                if order.isSentOnce, hasSent, request.body != nil, ![307, 308].contains(answer?.head.status) {
                    return "a POST is sent twice"
                }
                if request.body != nil { hasSent = true }
                asked = request
                answer = reply(to: request)
            case .wait(let span):
                if span > .seconds(2) || span <= .zero { return "a wait of \(span)" }
                answer = nil
            case .awaitFolder: return "it waits for another upload, and there is none"
            case .hold(let place):
                if (try? TransferURL(place.name)) == nil { return "held at \(place.name), which is no URL" }
                answer = nil
            case .done: return asked.flatMap { faultAtEnd($0, answer) }
            case .needsSize: return size == nil ? nil : "the size is asked for although it is known"
            case .failed: return nil
            }
        }
        return "it does not end"
    }

    private func fault(in request: UploadRequest) -> String? {
        if let body = request.body, body.lowerBound < 0 || body.upperBound > size ?? .max { return "sends \(body)" }
        if request.resumeFrom < 0 || request.resumeFrom > size ?? 0 { return "goes on at \(request.resumeFrom)" }
        let most = isListing(request) ? SFTPListing.longest : 64 << 10
        if request.wanted > most { return "keeps \(request.wanted) bytes of an answer" }
        let lines = request.headers + request.commandsBefore + request.commandsAfter
        if let line = lines.first(where: { $0.utf8.contains { $0 < 0x20 || $0 == 0x7F } }) {
            return "a control character in \(line.debugDescription)"
        }
        if request.url.server != start.url.server, request.settings.value.user != nil { return "the login goes away" }
        return start.url.scheme == .https && request.url.scheme != .https ? "it leaves TLS" : nil
    }

    private func isListing(_ request: UploadRequest) -> Bool { kind == .sftp && request.url.namesFolder }

    /// The server has confirmed the whole.
    private func faultAtEnd(_ request: UploadRequest, _ answer: UploadAnswer?) -> String? {
        // An empty file is there as soon as tus has created it.
        guard let answer else { return size == 0 ? nil : "done without an answer" }
        if let failure = answer.failure, !isFound(failure) { return "done although \(failure)" }
        switch kind {
        case .put, .post, .folders:
            let isGood = [200, 201, 204, 303].contains(answer.head.status)
            return isGood && answer.isSent && request.body != nil ? nil : "done at \(answer.head.status)"
        case .tus:
            let offset = answer.head.uploadOffset
            let isGood = answer.failure == nil && (200...299).contains(answer.head.status)
            return isGood && offset == size ? nil : "done at \(offset ?? -1)"
        case .ftp, .sftp: return nil
        }
    }

    private func isFound(_ failure: TransferFailure) -> Bool { if case .remoteFile = failure { true } else { false } }

    private mutating func note(_ line: String) { transcript.append(line) }
}

// MARK: - Answers

extension RandomDialogue {
    private mutating func reply(to request: UploadRequest) -> UploadAnswer {
        var answer = chance(80) ? habit[answers % habit.count] : answer()
        answers += 1
        answer.url = request.url
        if let body = request.body {
            let end = body.upperBound == .max ? body.lowerBound + 1000 : body.upperBound
            answer.given = answer.isSent ? end : Int64(pick(Int(body.lowerBound)...Int(end)))
            // What came last is as long as what was sent.
            if chance(40) { answer.size = answer.given }
        }
        if !request.isHead, request.body == nil, request.wanted > ServerReply.longest || kind == .ftp || kind == .sftp {
            answer.body = overlap(request)
        }
        note("    \(answer.head.status) \(answer.head.uploadOffset ?? -1) \(answer.code.rawValue) \(answer.size ?? -1)")
        return answer
    }

    /// What an FTP or SFTP server has there.
    private mutating func overlap(_ request: UploadRequest) -> [UInt8] {
        let first = Int(request.resumeFrom)
        let own = Self.content.dropFirst(first).prefix(request.wanted)
        return chance(70) ? Array(own) : chance(50) ? Array(own.dropLast()) : own.map { $0 &+ 1 }
    }

    private mutating func answer() -> UploadAnswer {
        var answer = UploadAnswer(url: start.url)
        if chance(80) { answer.head = ResponseHead(lines: head()) }
        if chance(25) { (answer.failure, answer.code, answer.reply) = trouble() }
        answer.isSent = chance(80)
        answer.size = chance(70) ? number() : nil
        return answer
    }

    private mutating func trouble() -> (TransferFailure, CurlCode, Int) {
        let troubles: [(TransferFailure, CurlCode, Int)] = [
            (.connectionLost("x"), .receiveError, 0), (.connectionLost("x"), .quoteFailed, 0),
            (.other("x"), .quoteFailed, 550), (.other("x"), .uploadFailed, 550), (.other("x"), .uploadFailed, 452),
            (.other("x"), .ssh, 0), (.remoteFile(.missing, path: "/x"), .remoteFileNotFound, 0),
            (.other("x"), .accessDenied, 0),
            (.stalled(seconds: 30), .timedOut, 0), (.other("x"), .partialFile, 426),
        ]
        return troubles[pick(0...troubles.count - 1)]
    }

    private mutating func head() -> [String] {
        let statuses = [
            200, 201, 204, 204, 303, 301, 307, 308, 100, 104, 404, 405, 409, 410, 403, 401, 460, 500, 503, 0,
        ]
        let places = [
            "/files/2", "2", "http://other/f", "https://h/f", "javascript:1", "", "//other/f", "http://u:p@h/f", "..",
            "http://h:99999/", "ftp://h/x", "https:///", String(repeating: "a", count: 5000), "\u{1}", "?",
            "http://h/x",
        ]
        var lines = ["HTTP/1.1 \(statuses[pick(0...statuses.count - 1)]) x"]
        if chance(60) { lines.append("Upload-Offset: \(chance(85) ? "\(number())" : odd())") }
        if chance(50) { lines.append("Location: \(places[pick(0...places.count - 1)])") }
        return lines
    }

    private mutating func number() -> Int64 {
        let size = size ?? 1000
        return [0, 1, size, size, size / 2, max(0, size - 1), size + 1, Int64.max, Int64(pick(0...3_000_000))][
            pick(0...8)]
    }

    private mutating func odd() -> String {
        ["-1", "1e9", "", "99999999999999999999", "0x10", " 5", "5, 6", "+1", "٣"][pick(0...8)]
    }

    private mutating func chance(_ percent: Int) -> Bool { random.next() % 100 < percent }
    private mutating func pick(_ range: ClosedRange<Int>) -> Int { Self.pick(range, &random) }

    private static func pick(_ range: ClosedRange<Int>, _ random: inout SplitMix64) -> Int {
        range.lowerBound + Int(random.next() % UInt64(range.upperBound - range.lowerBound + 1))
    }
}

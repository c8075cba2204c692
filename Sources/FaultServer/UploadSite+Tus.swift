import FoundationEssentials
import Hashing

/// Uploads by tus 1.0 below `/tus`: creation, offset, parts, checksum, termination.
extension UploadSite {
    static func decideTus(
        _ request: ReceivedRequest, _ path: String, _ options: UploadFaultOptions, _ state: inout State, _ now: Int64
    ) -> Decision {
        let method = request.method
        let number = TusStore.number(path)
        let upload = number.flatMap { state.tus.uploads[$0] }
        // A part is sent to a URL of the server's choice, so its faults are those of the URL that created the upload.
        var options = upload?.options ?? options
        if upload != nil {
            options.shared.hops = 0
            options.shared.destination = nil
        }
        let tus = options.tus
        func refused(_ status: Int) -> Decision {
            var shared = options.shared
            shared.extraHeaders += tusFields(tus, isVersionOnly: true)
            return Decision(options: options, outcome: .fixed(.failure(status, request, shared, now: now)), visit: nil)
        }
        if let plan = ResponsePlan.refusal(
            request, options.shared, busy: state.history.busy(options.shared.limitKey), now: now)
        {
            return Decision(options: options, outcome: .fixed(plan), visit: nil)
        }
        if tus.isAbsent { return refused(405) }
        if method != "OPTIONS", request.header("Tus-Resumable") != TusStore.version {
            return refused(412)
        }
        var answers: [FaultOptions.Answer] = []
        switch method {
        case "POST" where number == nil:
            guard let length = request.header("Upload-Length").flatMap({ Int64($0) }), length >= 0 else {
                return refused(400)
            }
            if let longest = tus.longest, length > longest { return refused(413) }
            answers = tus.creationAnswers
        case "HEAD", "PATCH", "DELETE":
            guard let upload, let number else { return refused(404) }
            if let limit = tus.loseAt, upload.offset >= limit { return refused(tus.lostStatus) }
            if method == "HEAD" { answers = tus.headAnswers }
            guard method == "PATCH" else { break }
            if request.header("Content-Type") != "application/offset+octet-stream" { return refused(415) }
            guard request.header("Upload-Offset").flatMap({ Int64($0) }) == upload.offset else { return refused(409) }
            if upload.offset + (request.declaredLength ?? 0) > upload.length { return refused(413) }
            if let checksum = request.header("Upload-Checksum") {
                let name = checksum.prefix { $0 != " " }
                guard hashFunction(name) != nil, tus.checksums.split(separator: ",").contains(name) else {
                    return refused(400)
                }
            }
            state.tus.uploads[number]?.writer = state.lastID
            answers = options.shared.answers
        case "OPTIONS": break
        default: return refused(405)
        }
        let visit = state.history.visit("\(method) \(number.map { "/tus/\($0)" } ?? options.shared.key)", isHead: false)
        let answer = answers.last.map { visit.number <= answers.count ? answers[visit.number - 1] : $0 }
        var decision = refused(500)
        switch answer {
        case .status(let code) where !(200...299).contains(code): decision = refused(code)
        case .close: decision = Decision(options: options, outcome: .fixed(.silence(.close)), visit: visit)
        case .reset: decision = Decision(options: options, outcome: .fixed(.silence(.reset)), visit: visit)
        case .status, nil:
            // Faults of the body belong to the requests that have one.
            let hasBody = method == "PATCH" || method == "POST" && request.declaredLength != 0
            decision = Decision(options: options, outcome: .carriedOut(answer), visit: hasBody ? visit : nil)
        }
        return decision
    }

    /// Bytes of a part are the upload's as soon as they are read, unless they must be checked first.
    static func appendsAtOnce(_ admission: Admission) -> Bool {
        admission.request.method == "PATCH" && TusStore.contains(admission.path) && isCarriedOut(admission)
            && !admission.options.tus.keepsWholeOnly && admission.request.header("Upload-Checksum") == nil
    }

    private static func isCarriedOut(_ admission: Admission) -> Bool {
        if case .carriedOut = admission.outcome { true } else { false }
    }

    static func answerTus(_ admission: Admission, _ body: Body, _ store: inout TusStore) -> ResponsePlan {
        let (request, options, tus) = (admission.request, admission.options, admission.options.tus)
        func head(_ status: Int) -> ResponseFields {
            var head = ResponseFields(status: status, now: admission.now)
            tusFields(tus, isVersionOnly: request.method != "OPTIONS").forEach { head.add(line: $0) }
            options.shared.extraHeaders.forEach { head.add(line: $0) }
            return head
        }
        func plan(_ head: ResponseFields) -> ResponsePlan {
            .short(head, body: [], for: request).delayed(by: options.shared.latency)
        }
        if request.method == "OPTIONS" { return plan(head(204)) }
        guard let number = TusStore.number(admission.path) else {
            let length = request.header("Upload-Length").flatMap { Int64($0) } ?? 0
            let new = store.create(
                TusStore.Upload(length: length, options: options, bytes: body.bytes))
            var fields = head(201)
            fields.add("Location", location(of: new, options, request))
            if request.declaredLength != 0 { fields.add("Upload-Offset", String(body.bytes.count)) }
            return plan(fields)
        }
        guard let upload = store.uploads[number] else { return plan(head(404)) }
        switch request.method {
        case "HEAD":
            var fields = head(200)
            fields.add("Upload-Offset", String(tus.headOffset ?? upload.offset))
            fields.add("Upload-Length", String(upload.length))
            fields.add("Cache-Control", "no-store")
            return plan(fields)
        case "DELETE":
            store.uploads[number] = nil
            return plan(head(204))
        default:
            if let checksum = request.header("Upload-Checksum") {
                let parts = checksum.split(separator: " ")
                let digest = parts.first.flatMap(hashFunction)?.hash(body.bytes)
                let isRight = parts.count == 2 && digest.map { Data($0).base64EncodedString() } == String(parts[1])
                guard isRight, upload.refusedChecksums >= tus.badChecksums else {
                    store.uploads[number]?.refusedChecksums += 1
                    return plan(head(460))
                }
            }
            if !appendsAtOnce(admission), upload.writer == admission.id {
                store.uploads[number]?.bytes += body.bytes
            }
            var fields = head(204)
            fields.add("Upload-Offset", String(tus.patchOffset ?? store.uploads[number]?.offset ?? 0))
            return plan(fields)
        }
    }

    /// `location=relative` and `path` are forms of the URL; any other text is followed by the number.
    private static func location(of number: Int, _ options: UploadFaultOptions, _ request: ReceivedRequest) -> String {
        let path = RequestTarget(request.target).path
        return switch options.location.map({ String(decoding: $0, as: UTF8.self) }) {
        case nil: "http://\(request.header("Host") ?? "127.0.0.1")\(TusStore.root)/\(number)"
        case "path": "\(TusStore.root)/\(number)"
        case "relative": path.hasSuffix("/") ? "\(number)" : "tus/\(number)"
        case .some(let text): text + String(number)
        }
    }

    private static func tusFields(_ tus: TusFaultOptions, isVersionOnly: Bool) -> [[UInt8]] {
        guard !tus.isAbsent else { return [] }
        var lines = ["Tus-Resumable: \(TusStore.version)", "Tus-Version: \(TusStore.version)"]
        if !isVersionOnly {
            lines += ["Tus-Extension: \(tus.extensions)", "Tus-Checksum-Algorithm: \(tus.checksums)"]
            if let longest = tus.longest { lines.append("Tus-Max-Size: \(longest)") }
        }
        return lines.map { Array($0.utf8) }
    }

    private static func hashFunction(_ name: Substring) -> HashFunction? {
        ["md5": .md5, "sha1": .sha1, "sha256": .sha256, "sha512": .sha512][name]
    }
}

/// The uploads that clients have created by tus, by the number in their URL.
struct TusStore: Sendable {
    struct Upload: Sendable {
        let length: Int64
        /// Those of the URL that created it.
        let options: UploadFaultOptions
        var bytes: [UInt8] = []
        /// The request that may append: a later PATCH takes over from one whose connection has not ended yet.
        var writer: Int?
        var refusedChecksums = 0

        var offset: Int64 { Int64(bytes.count) }
    }

    var uploads: [Int: Upload] = [:]
    private var created = 0

    static let root = "/tus"
    static let version = "1.0.0"

    mutating func create(_ upload: Upload) -> Int {
        created += 1
        uploads[created] = upload
        return created
    }

    /// The number in `/tus/7`; `nil` for where uploads are created.
    static func number(_ path: String) -> Int? {
        path.hasPrefix(root + "/") ? Int(path.dropFirst(root.count + 1)) : nil
    }

    static func contains(_ path: String) -> Bool { path == root || path.hasPrefix(root + "/") }
}

/// An upload by tus, as the server has it.
package struct TusUpload: Equatable, Sendable {
    package let length: Int64
    package let bytes: [UInt8]
    package var isComplete: Bool { Int64(bytes.count) == length }
}

/// How a tus server behaves besides what every upload's options say.
///
/// - Source: https://tus.io/protocols/resumable-upload, version 1.0.0.
struct TusFaultOptions: Equatable, Sendable {
    /// Answers to HEAD in turn, the last for ever; empty means 200.
    var headAnswers: [FaultOptions.Answer] = []
    /// Answers to the POST that creates.
    var creationAnswers: [FaultOptions.Answer] = []
    /// The upload no longer exists once it has so many bytes.
    var loseAt: Int64?
    var lostStatus = 404
    /// False Upload-Offset in answers to HEAD and to PATCH.
    var headOffset: Int64?
    var patchOffset: Int64?
    /// The number of PATCHes with a checksum that are answered 460 although it is right.
    var badChecksums = 0
    var checksums = "sha1,sha256,md5"
    var extensions = "creation,creation-with-upload,checksum,termination"
    var longest: Int64?
    /// A PATCH that was cut leaves nothing behind.
    var keepsWholeOnly = false
    /// The server knows nothing of tus.
    var isAbsent = false

    /// - Returns: whether it is an option of tus.
    mutating func read(_ option: OptionText) throws(FaultServerFailure) -> Bool {
        switch option.name {
        case "headstatus": headAnswers = try FaultOptions.answers(option)
        case "create": creationAnswers = try FaultOptions.answers(option)
        case "lose": loseAt = try option.count()
        case "lostas": lostStatus = try option.status()
        case "headoffset": headOffset = try option.count()
        case "patchoffset": patchOffset = try option.count()
        case "badchecksum": badChecksums = Int(min(try option.count(), 1 << 20))
        case "checksums": checksums = option.text
        case "extensions": extensions = option.text
        case "maxsize": longest = try option.count()
        case "keepwhole": keepsWholeOnly = true
        case "notus": isAbsent = true
        default: return false
        }
        return true
    }
}

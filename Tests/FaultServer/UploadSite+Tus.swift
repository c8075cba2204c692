/// Uploads by tus 1.0 below `/tus`: creation, offset, parts, termination.
///
/// - Source: https://tus.io/protocols/resumable-upload, version 1.0.0.
extension UploadSite {
    static func decideTus(_ admission: inout Admission, _ state: inout State) {
        let number = TusStore.number(admission.path)
        // A part is sent to a URL of the server's choice, so its faults are those of the URL that created the upload.
        if let upload = number.flatMap({ state.tus.uploads[$0] }) {
            admission.options = upload.options
            admission.options.hops = 0
            admission.options.destination = nil
        }
        let (request, options) = (admission.request, admission.options)
        var refusing = options
        refusing.extraHeaders += tusFields(options)
        if let refusal = ResponsePlan.gate(request, options, busy: state.history.busy(options.limitKey)) {
            admission.refusal = refusal
            return
        }
        if let status = refusedTus(admission, number.flatMap { state.tus.uploads[$0] }) {
            admission.refusal = .failure(status, request, refusing)
            return
        }
        if let number, request.method == "PATCH" { state.tus.uploads[number]?.writer = admission.id }
        let answers = ["POST": options.creationAnswers, "HEAD": options.headAnswers, "PATCH": options.answers]
        let visit = state.history.visit("\(request.method) \(admission.path)")
        admission.follow(answers[request.method]?.inTurn(visit.number), refusing)
        // Faults of the body belong to the requests that have one.
        let hasBody = request.method == "PATCH" || request.method == "POST" && request.declaredLength != 0
        if hasBody, admission.refusal == nil { admission.visit = visit }
    }

    /// - Returns: the status for a request that the protocol or the options forbid.
    private static func refusedTus(_ admission: Admission, _ upload: TusStore.Upload?) -> Int? {
        let (request, options) = (admission.request, admission.options)
        if options.hasNoTus { return 405 }
        if request.header("Tus-Resumable") != TusStore.version { return 412 }
        if request.method == "POST", TusStore.number(admission.path) == nil {
            guard let length = request.number("Upload-Length"), length >= 0 else { return 400 }
            return options.longest.map { length > $0 } == true ? 413 : nil
        }
        guard ["HEAD", "PATCH", "DELETE"].contains(request.method) else { return 405 }
        guard let upload else { return 404 }
        if let limit = options.loseAt, upload.offset >= limit { return 404 }
        guard request.method == "PATCH" else { return nil }
        if request.header("Content-Type") != "application/offset+octet-stream" { return 415 }
        guard request.number("Upload-Offset") == upload.offset else { return 409 }
        if upload.offset + (request.declaredLength ?? 0) > upload.kept.length { return 413 }
        return nil
    }

    static func answerTus(_ admission: Admission, _ body: Body, _ store: inout TusStore) -> ResponsePlan {
        let (request, options) = (admission.request, admission.options)
        func plan(_ status: Int, _ fields: (name: String, value: String)...) -> ResponsePlan {
            var head = ResponseFields(status: status, for: request)
            for line in tusFields(options) + options.extraHeaders { head.add(line: line) }
            fields.forEach { head.add($0.name, $0.value) }
            return .short(head, body: [], for: request).delayed(by: options.latency)
        }
        guard let number = TusStore.number(admission.path) else {
            let upload = TusUpload(length: request.number("Upload-Length") ?? 0, bytes: body.bytes)
            let location = Self.location(of: store.create(upload, options), options, request)
            if request.declaredLength == 0 { return plan(201, ("Location", location)) }
            return plan(201, ("Location", location), ("Upload-Offset", String(body.bytes.count)))
        }
        guard let upload = store.uploads[number] else { return plan(404) }
        switch request.method {
        case "HEAD":
            return plan(
                200, ("Upload-Offset", String(options.headOffset ?? upload.offset)),
                ("Upload-Length", String(upload.kept.length)), ("Cache-Control", "no-store"))
        case "DELETE":
            store.uploads[number] = nil
            return plan(204)
        default:
            if !admission.appendsAtOnce, upload.writer == admission.id {
                store.uploads[number]?.kept.bytes += body.bytes
            }
            return plan(204, ("Upload-Offset", String(options.patchOffset ?? store.uploads[number]?.offset ?? 0)))
        }
    }

    /// `location=relative` and `path` are forms of the URL; any other text is followed by the number.
    private static func location(of number: Int, _ options: FaultOptions, _ request: ReceivedRequest) -> String {
        let path = RequestTarget(request.target).path
        return switch options.location.map({ String(decoding: $0, as: UTF8.self) }) {
        case nil: "http://\(request.header("Host") ?? "127.0.0.1")\(TusStore.root)/\(number)"
        case "path": "\(TusStore.root)/\(number)"
        case "relative": path.hasSuffix("/") ? "\(number)" : "tus/\(number)"
        case .some(let text): text + String(number)
        }
    }

    private static func tusFields(_ options: FaultOptions) -> [[UInt8]] {
        options.hasNoTus ? [] : [Array("Tus-Resumable: \(TusStore.version)".utf8)]
    }
}

extension UploadSite.Admission {
    /// Bytes of a part are the upload's as soon as they are read.
    var appendsAtOnce: Bool {
        request.method == "PATCH" && TusStore.contains(path) && refusal == nil && !options.keepsWholeOnly
    }
}

extension ReceivedRequest {
    fileprivate func number(_ name: String) -> Int64? { header(name).flatMap { Int64($0) } }
}

/// The uploads that clients have created by tus, by the number in their URL.
struct TusStore: Sendable {
    struct Upload: Sendable {
        var kept: TusUpload
        /// Those of the URL that created it.
        let options: FaultOptions
        /// The request that may append: a later PATCH takes over from one whose connection has not ended yet.
        var writer: Int?

        var offset: Int64 { Int64(kept.bytes.count) }
    }

    var uploads: [Int: Upload] = [:]
    private var created = 0

    static let root = "/tus"
    static let version = "1.0.0"

    mutating func create(_ upload: TusUpload, _ options: FaultOptions) -> Int {
        created += 1
        uploads[created] = Upload(kept: upload, options: options)
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
    package internal(set) var bytes: [UInt8]
    package var isComplete: Bool { Int64(bytes.count) == length }
}

import Glibc
import Synchronization

/// Everything below `/up` and `/tus`: the files and folders that clients have made, and the log of how their bodies
/// arrived.
///
/// The threads of all connections write, any test reads: hence the lock, which is never held over a send.
final class UploadSite: Sendable {
    struct State {
        var history = RequestHistory()
        var tree = UploadTree()
        var tus = TusStore()
        var log: [Int: UploadRecord] = [:]
        var lastID = 0
    }

    /// A request whose head has arrived, and what is to be done with it.
    struct Admission: Sendable {
        let id: Int
        let request: ReceivedRequest
        /// Decoded, without the query.
        let path: String
        var options: FaultOptions
        /// The answer to a request that is not carried out.
        var refusal: ResponsePlan?
        /// A status of success other than the usual one.
        var status: Int?
        var visit: Visit?
        /// Counts against this limit until the answer is over.
        var limitKey: String?

        var machine: UploadBodyMachine { UploadBodyMachine(request, options, visit, isRefused: refusal != nil) }

        /// - Parameter options: those of its answer.
        mutating func follow(_ answer: FaultOptions.Answer?, _ options: FaultOptions) {
            refusal = answer.flatMap { ResponsePlan.refusal($0, request, options) }
            if case .status(let code) = answer { status = code }
        }
    }

    /// A body, as far as it was read.
    struct Body {
        var bytes: [UInt8] = []
        var isWhole = false
    }

    private let state = Mutex(State())

    /// In order of arrival.
    var uploads: [UploadRecord] { state.withLock { state in state.log.sorted { $0.key < $1.key }.map(\.value) } }

    /// In the order of their creation.
    var tusUploads: [TusUpload] {
        state.withLock { state in state.tus.uploads.sorted { $0.key < $1.key }.map(\.value.kept) }
    }

    /// - Parameter path: decoded: `/up/a b`.
    func content(of path: String) -> [UInt8]? { state.withLock { $0.tree.files[path] } }

    func clear() {
        state.withLock {
            $0 = State(history: $0.history, lastID: $0.lastID)
            $0.history.clear()
        }
    }

    /// Decides how the request is received.
    func admit(_ request: ReceivedRequest) -> Admission {
        let target = RequestTarget(request.target)
        let path = target.uploadPath ?? target.path
        var options = FaultOptions(key: path, name: path)
        var refusal: ResponsePlan?
        do throws(FaultServerFailure) { options = try FaultOptions(target) ?? options } catch {
            refusal = .text(400, error.description, for: request)
        }
        let upload = UploadRecord(request: request, path: path, declaredLength: request.declaredLength)
        return state.withLock { state in
            state.lastID += 1
            state.log[state.lastID] = upload
            var admission = Admission(
                id: state.lastID, request: request, path: path, options: options, refusal: refusal)
            if refusal != nil { return admission }
            if TusStore.contains(path) {
                Self.decideTus(&admission, &state)
            } else {
                Self.decide(&admission, &state.history)
            }
            return admission
        }
    }

    /// Carries the request out and decides its answer.
    func answer(_ admission: Admission, _ body: Body) -> ResponsePlan {
        state.withLock { state in
            let plan: ResponsePlan
            if let refusal = admission.refusal {
                plan = refusal
            } else if TusStore.contains(admission.path) {
                plan = Self.answerTus(admission, body, &state.tus)
            } else {
                plan = Self.answer(admission, body, &state.tree)
            }
            state.log[admission.id]?.status = plan.status
            return plan
        }
    }

    func ended(_ limitKey: String) { state.withLock { $0.history.ended(limitKey) } }

    /// More of a body has been read.
    ///
    /// - Parameter bytes: of the body, all told.
    func read(_ id: Int, _ bytes: Int64) {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let mark = UploadRecord.Mark(time: Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec), bytes: bytes)
        state.withLock { $0.log[id]?.marks.append(mark) }
    }

    /// Bytes that a part of an upload by tus brings, for the upload at once.
    func append(_ bytes: UnsafeRawBufferPointer, by admission: Admission) {
        state.withLock { state in
            guard let number = TusStore.number(admission.path), state.tus.uploads[number]?.writer == admission.id else {
                return
            }
            state.tus.uploads[number]?.kept.bytes.append(contentsOf: bytes)
        }
    }

    func sent(_ id: Int, interim status: Int) { state.withLock { $0.log[id]?.interim.append(status) } }

    func completed(_ id: Int) { state.withLock { $0.log[id]?.isComplete = true } }

    /// The connection has ended before the request was answered and its body read.
    func brokenOff(_ id: Int) {
        state.withLock { if $0.log[id]?.status == nil { $0.log[id]?.status = 0 } }
    }
}

/// Uploads by PUT and POST below `/up`, and folders by MKCOL.
extension UploadSite {
    private static func decide(_ admission: inout Admission, _ history: inout RequestHistory) {
        let (request, options) = (admission.request, admission.options)
        admission.refusal = ResponsePlan.gate(request, options, busy: history.busy(options.limitKey))
        guard admission.refusal == nil, request.method == "PUT" || request.method == "POST" else { return }
        if let status = options.expectRefusal, request.expectsContinue {
            admission.refusal = .failure(status, request, options)
            return
        }
        if options.needsLength, request.declaredLength == nil {
            admission.refusal = .failure(411, request, options)
            return
        }
        history.began(options.limitKey)
        let visit = history.visit("\(request.method) \(options.key)")
        admission.limitKey = options.limitKey
        admission.visit = visit
        admission.follow(options.answers.inTurn(visit.number), options)
    }

    private static func answer(_ admission: Admission, _ body: Body, _ tree: inout UploadTree) -> ResponsePlan {
        let (request, options, path) = (admission.request, admission.options, admission.path)
        let outcome: UploadTree.Outcome
        switch request.method {
        case "PUT", "POST":
            outcome = body.isWhole ? tree.put(body.bytes, at: path) : .created
        case "MKCOL": outcome = tree.makeFolder(path)
        default: return .failure(405, request, options)
        }
        switch outcome {
        case .created: return success(admission.status ?? 201, admission)
        case .replaced: return success(admission.status ?? 204, admission)
        case .noFolder: return .failure(409, request, options)
        case .exists: return .failure(request.method == "MKCOL" ? 405 : 409, request, options)
        }
    }

    private static func success(_ status: Int, _ admission: Admission) -> ResponsePlan {
        let (request, options) = (admission.request, admission.options)
        // A 204 has no body: a longer answer needs another status.
        let status = status == 204 && options.replyLength != nil ? 200 : status
        var head = ResponseFields(status: status, for: request)
        head.add("Content-Type", "text/plain; charset=utf-8")
        if let location = options.location { head.add("Location", location) }
        options.extraHeaders.forEach { head.add(line: $0) }
        guard let length = options.replyLength else {
            return .short(head, body: Array("\(status)\n".utf8), for: request).delayed(by: options.latency)
        }
        head.add("Content-Length", String(length))
        var plan = ResponsePlan(status: status, ending: request.isKeepAlive ? .keepAlive : .close)
        plan.steps = [.raw(head.bytes), .body(.seeded(SeededContent(name: "reply"), 0..<length))]
        return plan.delayed(by: options.latency)
    }
}

/// The files and folders that clients have made, by absolute path without a slash at the end.
struct UploadTree: Sendable {
    private var folders: Set<String> = [root]
    private(set) var files: [String: [UInt8]] = [:]

    /// Where every upload lies.
    static let root = "/up"

    static func contains(_ path: String) -> Bool { path == root || path.hasPrefix(root + "/") }

    enum Outcome { case created, replaced, noFolder, exists }

    private func hasFolder(above path: String) -> Bool {
        path.lastIndex(of: "/").map { folders.contains(String(path[..<$0])) } ?? false
    }

    mutating func put(_ bytes: [UInt8], at path: String) -> Outcome {
        guard !path.hasSuffix("/"), !folders.contains(path) else { return .exists }
        guard hasFolder(above: path) else { return .noFolder }
        return files.updateValue(bytes, forKey: path) == nil ? .created : .replaced
    }

    mutating func makeFolder(_ path: String) -> Outcome {
        let path = path.hasSuffix("/") ? String(path.dropLast()) : path
        guard !folders.contains(path), files[path] == nil else { return .exists }
        guard hasFolder(above: path) else { return .noFolder }
        folders.insert(path)
        return .created
    }
}

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

    /// A request whose head has arrived.
    struct Admission: Sendable {
        let id: Int
        let request: ReceivedRequest
        /// Decoded, without the query.
        let path: String
        let options: UploadFaultOptions
        let plan: UploadBodyPlan
        let outcome: Outcome
        /// Counts against this limit until the answer is over.
        let limitKey: String?
        /// Seconds since 1970.
        let now: Int64

        /// How its answer is found.
        enum Outcome: Sendable {
            case fixed(ResponsePlan)
            /// The request is carried out when its body is complete.
            case carriedOut(FaultOptions.Answer?)
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

    /// - Parameter path: decoded: `/up/a b`.
    func content(of path: String) -> [UInt8]? { state.withLock { $0.tree.files[path] } }

    func clear() {
        state.withLock {
            let running = $0.history
            $0 = State(history: running, lastID: $0.lastID)
            $0.history.clear()
        }
    }

    /// Decides how the request is received.
    func admit(_ request: ReceivedRequest) -> Admission {
        let now = Self.nanoseconds()
        let target = RequestTarget(request.target)
        let path = target.uploadPath ?? target.path
        let upload = UploadRecord(request: request, path: path, declaredLength: request.declaredLength)
        return state.withLock { state in
            state.lastID += 1
            state.log[state.lastID] = upload
            let decision: Decision
            do throws(FaultServerFailure) {
                let options = try UploadFaultOptions(target) ?? UploadFaultOptions(key: path)
                decision =
                    TusStore.contains(path)
                    ? Self.decideTus(request, path, options, &state, now / 1_000_000_000)
                    : Self.decide(request, options, &state.history, now / 1_000_000_000)
            } catch {
                let options = UploadFaultOptions(key: path)
                let plan = ResponsePlan.text(400, error.description, for: request, now: now / 1_000_000_000)
                decision = Decision(options: options, outcome: .fixed(plan), visit: nil)
            }
            var isRefused = false
            if case .fixed = decision.outcome { isRefused = true }
            let plan = decision.options.plan(request, decision.visit, isRefused: isRefused)
            return Admission(
                id: state.lastID, request: request, path: path, options: decision.options, plan: plan,
                outcome: decision.outcome, limitKey: decision.limitKey, now: now / 1_000_000_000)
        }
    }

    func ended(_ limitKey: String) { state.withLock { $0.history.ended(limitKey) } }

    /// More of a body has been read.
    ///
    /// - Parameter bytes: of the body, all told.
    func read(_ id: Int, _ bytes: Int64) {
        let mark = UploadRecord.Mark(time: Self.nanoseconds(), bytes: bytes)
        state.withLock { $0.log[id]?.marks.append(mark) }
    }

    /// Bytes that a part of an upload by tus brings, for the upload at once.
    func append(_ bytes: UnsafeRawBufferPointer, by admission: Admission) {
        state.withLock { state in
            guard let number = TusStore.number(admission.path), state.tus.uploads[number]?.writer == admission.id else {
                return
            }
            state.tus.uploads[number]?.bytes.append(contentsOf: bytes)
        }
    }

    /// In the order of their creation.
    var tusUploads: [TusUpload] {
        state.withLock { state in
            state.tus.uploads.sorted { $0.key < $1.key }.map { _, upload in
                TusUpload(length: upload.length, bytes: upload.bytes)
            }
        }
    }

    func sent(_ id: Int, interim status: Int) { state.withLock { $0.log[id]?.interim.append(status) } }

    func completed(_ id: Int) { state.withLock { $0.log[id]?.isComplete = true } }

    /// The connection has ended before the request was answered and its body read.
    func brokenOff(_ id: Int) {
        state.withLock { if $0.log[id]?.status == nil { $0.log[id]?.status = 0 } }
    }

    /// Carries the request out and decides its answer.
    func answer(_ admission: Admission, _ body: Body) -> ResponsePlan {
        state.withLock { state in
            let plan = Self.answer(admission, body, &state)
            state.log[admission.id]?.status = plan.status
            return plan
        }
    }

    private static func nanoseconds() -> Int64 {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
    }
}

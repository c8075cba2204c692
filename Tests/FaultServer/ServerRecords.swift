import Synchronization

/// What all connections of one server share: the history that decides answers and the log that tests read.
///
/// The threads of all connections write, any test reads: hence the lock, which is never held over a send.
final class ServerRecords: Sendable {
    private struct State {
        var history = RequestHistory()
        var log: [Int: LoggedRequest] = [:]
        var nextTicket = 0
        var openConnections = 0
        var totalConnections = 0
    }

    private let state = Mutex(State())
    let uploads = UploadSite()

    /// A response under way.
    struct Admission {
        let plan: ResponsePlan
        /// Its place in the log.
        fileprivate var ticket: Int?
        /// The limit that this response counts against; `nil` once it no longer counts.
        fileprivate var limitKey: String?

        /// Ends this response's count against its limit, so that the next request is admitted.
        mutating func makeRoom(in records: ServerRecords) {
            if let key = limitKey { records.state.withLock { $0.history.ended(key) } }
            limitKey = nil
        }
    }

    /// In order of arrival.
    var requests: [LoggedRequest] {
        state.withLock { state in state.log.sorted { $0.key < $1.key }.map(\.value) }
    }

    var requestCount: Int { state.withLock { $0.log.count } }
    var openConnections: Int { state.withLock { $0.openConnections } }
    var totalConnections: Int { state.withLock { $0.totalConnections } }

    func connected() {
        state.withLock {
            $0.openConnections += 1
            $0.totalConnections += 1
        }
    }

    func disconnected() { state.withLock { $0.openConnections -= 1 } }

    func clear() {
        state.withLock {
            $0.history.clear()
            $0.log = [:]
            $0.totalConnections = $0.openConnections
        }
        uploads.clear()
    }

    /// Decides the answer and notes the request.
    func admit(_ request: ReceivedRequest) -> Admission {
        let target = RequestTarget(request.target)
        var (key, admission) = (target.path, Admission(plan: .text(404, "try /f/NAME?size=1M", for: request)))
        do throws(FaultServerFailure) {
            if target.path == "/raw" {
                admission = Admission(plan: try .raw(target))
            } else if let options = try FaultOptions(target) {
                (key, admission) = (options.key, admit(request, options))
            }
        } catch {
            admission = Admission(plan: .text(400, error.description, for: request))
        }
        let entry = LoggedRequest(request: request, key: key, status: admission.plan.status)
        admission.ticket = state.withLock { state in
            state.nextTicket += 1
            state.log[state.nextTicket] = entry
            return state.nextTicket
        }
        return admission
    }

    private func admit(_ request: ReceivedRequest, _ options: FaultOptions) -> Admission {
        // Chosen and counted under one lock: otherwise two connections could get the same number in a sequence. A refused
        // request does not count against the limit: the next one is not refused because this refusal is still being sent.
        state.withLock { state in
            let busy = state.history.busy(options.limitKey)
            if let plan = ResponsePlan.gate(request, options, busy: busy) { return Admission(plan: plan) }
            state.history.began(options.limitKey)
            // A client asks for a folder by GET before it asks by PROPFIND, which has the sequence of answers.
            let key = request.method == "PROPFIND" ? "PROPFIND \(options.key)" : options.key
            let visit = state.history.visit(key, isHead: request.isHead)
            let plan: ResponsePlan
            if let place = options.place {
                plan = state.history.tree(place, request, options, visit)
            } else {
                plan = .file(request, options, visit)
            }
            return Admission(plan: plan, limitKey: options.limitKey)
        }
    }

    func finished(_ admission: Admission, bodyBytes: Int64) {
        state.withLock { state in
            guard let ticket = admission.ticket else { return }
            state.log[ticket]?.bodyBytes = bodyBytes
            state.log[ticket]?.isFinished = true
        }
    }
}

/// A request and its outcome.
package struct LoggedRequest: Equatable, Sendable {
    package let request: ReceivedRequest
    /// The path, percent-decoded if it is that of a file.
    package let key: String
    /// Sent status; 0 when the connection ended before one.
    package let status: Int
    /// Body bytes handed to the kernel; 0 until the answer is over or the connection gone.
    package internal(set) var bodyBytes: Int64 = 0
    /// The answer is over, or the connection gone.
    package internal(set) var isFinished = false

    package var method: String { request.method }
    /// Without the query.
    package var path: String { RequestTarget(request.target).path }
    /// What its URL asks for; `nil` for another path than that of a file.
    package var served: (seed: UInt64, size: Int64)? {
        (try? FaultOptions(RequestTarget(request.target))).map { (seed: $0.seed, size: $0.size) }
    }
    package var range: String? { request.header("Range") }
    package var ifRange: String? { request.header("If-Range") }
    package var authorization: String? { request.header("Authorization") }
    package var cookie: String? { request.header("Cookie") }
    package var userAgent: String? { request.header("User-Agent") }
    package var referer: String? { request.header("Referer") }
    package var acceptEncoding: String? { request.header("Accept-Encoding") }
}

/// The counts of each key, from which the answer to the key's next request is chosen.
struct RequestHistory: Equatable, Sendable {
    private var visits: [String: Int] = [:]
    private var running: [String: Int] = [:]
    /// How often each folder of a tree was listed.
    private var listings: [String: Int] = [:]

    /// Responses now running under that limit key.
    func busy(_ limitKey: String) -> Int { running[limitKey] ?? 0 }

    mutating func began(_ limitKey: String) { running[limitKey, default: 0] += 1 }

    mutating func ended(_ limitKey: String) { running[limitKey] = max(0, busy(limitKey) - 1) }

    /// Counts a request that no gate has refused. HEAD has its own count: a client that asks for the size first must not use
    /// up the faults meant for the download.
    mutating func visit(_ key: String, isHead: Bool = false) -> Visit {
        let earlierGets = visits[key] ?? 0
        let counter = isHead ? "HEAD \(key)" : key
        visits[counter, default: 0] += 1
        return Visit(number: visits[counter] ?? 1, earlierGets: earlierGets)
    }

    /// Resets the counts, but not those of responses that are still running.
    mutating func clear() { (visits, listings) = ([:], [:]) }

    /// The answer for a path of a tree. A folder's files change with its second listing.
    mutating func tree(
        _ place: FolderSite.Place, _ request: ReceivedRequest, _ options: FaultOptions, _ visit: Visit
    ) -> ResponsePlan {
        let folder = String(options.key[...(options.key.lastIndex(of: "/") ?? options.key.startIndex)])
        let earlier = listings[folder] ?? 0
        // A further page of a bucket belongs to the listing that the first one began.
        let isFurtherPage = (TreeTarget(RequestTarget(request.target))?.firstKey ?? 0) > 0
        guard case .folder = place, !isFurtherPage else {
            return .tree(place, request, options, visit, version: earlier > 1 ? 1 : 0)
        }
        let plan = ResponsePlan.tree(place, request, options, visit, version: earlier > 0 ? 1 : 0)
        if (200...299).contains(plan.status), !request.isHead { listings[folder] = earlier + 1 }
        return plan
    }
}

/// Which request of its key this is.
struct Visit: Equatable, Sendable {
    /// From 1, among those of the same method.
    let number: Int
    let earlierGets: Int
}

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
    private let started = ContinuousClock.now
    let uploads = UploadSite()

    /// A response under way.
    struct Admission {
        let plan: ResponsePlan
        fileprivate let ticket: Int?
        /// The limit that this response counts against; `nil` once it no longer counts.
        fileprivate var limitKey: String?

        /// Ends this response's count against its limit, so that the next request is admitted.
        mutating func makeRoom(in reception: ServerRecords) {
            if let key = limitKey { reception.ended(key) }
            limitKey = nil
        }
    }

    private func ended(_ key: String) { state.withLock { $0.history.ended(key) } }

    /// In order of arrival.
    var requests: [LoggedRequest] {
        state.withLock { state in state.log.sorted { $0.key < $1.key }.map(\.value) }
    }

    var openConnections: Int { state.withLock { $0.openConnections } }
    var totalConnections: Int { state.withLock { $0.totalConnections } }

    /// - Returns: the number of the connection.
    func connected() -> Int {
        state.withLock {
            $0.openConnections += 1
            $0.totalConnections += 1
            return $0.totalConnections
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
    ///
    /// - Parameter now: seconds since 1970.
    func admit(_ request: ReceivedRequest, connection: Int, now: Int64) -> Admission {
        let target = RequestTarget(request.target)
        do throws(FaultServerFailure) {
            switch target.path {
            case "/stats":
                let count = JSONValue.object([("requests", .number(Int64(requests.count)))])
                return page(.json(count, for: request, now: now))
            case "/received": return page(.json(uploads.json, for: request, now: now))
            case "/reset":
                clear()
                return page(.text(200, "forgotten", for: request, now: now))
            case "/raw": return note(request, target.path, connection, try .raw(target))
            default:
                guard let behaviour = try FaultOptions(target) else {
                    return note(
                        request, target.path, connection, .text(404, "try /f/NAME?size=1M", for: request, now: now))
                }
                return admit(request, behaviour, connection, now)
            }
        } catch {
            return note(request, target.path, connection, .text(400, error.description, for: request, now: now))
        }
    }

    func finished(_ admission: Admission, bodyBytes: Int64, isWhole: Bool) {
        state.withLock { state in
            guard let ticket = admission.ticket else { return }
            state.log[ticket]?.bodyBytes = bodyBytes
            state.log[ticket]?.isFinished = isWhole
        }
    }

    private func admit(
        _ request: ReceivedRequest, _ behaviour: FaultOptions, _ connection: Int, _ now: Int64
    ) -> Admission {
        // Chosen and counted under one lock: otherwise two connections could get the same number in a sequence. A refused
        // request does not count against the limit: the next one is not refused because this refusal is still being sent.
        let (plan, limitKey): (ResponsePlan, String?) = state.withLock { state in
            let busy = state.history.busy(behaviour.limitKey)
            if let plan = ResponsePlan.gate(request, behaviour, busy: busy, now: now) { return (plan, nil) }
            state.history.began(behaviour.limitKey)
            if let plan = ResponsePlan.ticket(request, behaviour, &state.history, now: now) {
                return (plan, behaviour.limitKey)
            }
            let visit = state.history.visit(behaviour.key, isHead: request.isHead)
            return (ResponsePlan.file(request, behaviour, visit: visit, now: now), behaviour.limitKey)
        }
        return note(request, behaviour.key, connection, plan, limitKey: limitKey)
    }

    private func page(_ plan: ResponsePlan) -> Admission { Admission(plan: plan, ticket: nil, limitKey: nil) }

    private func note(
        _ request: ReceivedRequest, _ key: String, _ connection: Int, _ plan: ResponsePlan, limitKey: String? = nil
    ) -> Admission {
        let entry = LoggedRequest(
            request: request, key: key, status: plan.status, connection: connection,
            arrival: ContinuousClock.now - started)
        let ticket = state.withLock { state in
            state.nextTicket += 1
            state.log[state.nextTicket] = entry
            return state.nextTicket
        }
        return Admission(plan: plan, ticket: ticket, limitKey: limitKey)
    }
}

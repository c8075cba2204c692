import TestSupport

@testable import WinchModel
@testable import WinchQueue

/// A transfer brought to a certain state. The names are those of phases, with what is pending.
enum PreparedTransfer: String, CaseIterable {
    /// Another transfer has the only slot.
    case waiting
    case connecting, requested, moving
    case verifying
    /// Cancelled while its file was being finished.
    case cancelling
    case paused
    /// Paused; its connection has not answered yet.
    case closing
    /// Paused and resumed, the same.
    case reopening
    case backoff, finished, failed
    case cancelled
    /// Cancelled; its connection has not answered yet.
    case dropped

    /// The transfer under test.
    var number: Int { self == .waiting ? 2 : 1 }

    var run: QueueRun {
        var run = QueueRun {
            $0.slots = 1
            $0.mode = .simple
        }
        run.add(self == .waiting ? 2 : 1)
        let id = [TransferID(1)]
        switch self {
        case .waiting, .connecting: break
        case .requested: run.report(1, .requested)
        case .moving: run.reachMoving()
        case .verifying: run.reachVerifying()
        case .cancelling:
            run.reachVerifying()
            run.command(.cancel(id))
        case .paused, .closing, .reopening:
            run.reachMoving()
            run.command(.pause(id))
            if self == .paused { run.report(1, .stopped(kept: .sample(500, of: 1000))) }
            if self == .reopening { run.command(.resume(id)) }
        case .backoff:
            run.reachMoving()
            run.fail(1, kept: 500)
        case .finished: run.finish(1, with: 1000)
        case .failed: run.fail(1, .httpStatus(404))
        case .cancelled, .dropped:
            run.reachMoving()
            run.command(.cancel(id))
            if self == .cancelled { run.report(1, .stopped(kept: nil)) }
        }
        return run
    }
}

extension QueueRun {
    fileprivate mutating func reachMoving() {
        open(1, of: 1000)
        move(1, to: 500)
    }

    fileprivate mutating func reachVerifying() {
        reachMoving()
        report(1, .bodyEnded(size: ByteCount(1000)))
    }

    /// The phase in a word, with the last actions on this transfer.
    func outcome(_ number: Int) -> String {
        ([word(number)] + actions.compactMap { word($0, about: TransferID(number)) }).joined(separator: " ")
    }

    private func word(_ number: Int) -> String {
        switch phase(number) {
        case .waiting: "waiting"
        case .active:
            switch stage(number) {
            case .connecting: "connecting"
            case .requested: "requested"
            case .moving: "moving"
            case .replying: "replying"
            case .delivered, .closing, nil: "no connection"
            }
        case .verifying(let isCancelling): isCancelling ? "cancelling" : "verifying"
        case .paused: "paused"
        case .backoff: "backoff"
        case .finished: "finished"
        case .failed: "failed"
        case .cancelled: "cancelled"
        case nil: "gone"
        }
    }

    private func word(_ action: QueueAction, about id: TransferID) -> String? {
        switch action {
        case .open(let request): request.transfer == id ? "start" : nil
        case .close(let connection, let discarding) where connection.transfer == id: discarding ? "drop" : "stop"
        case .discard(id, _, _, _, _): "discard"
        case .withdraw(let request) where request.transfer == id: "withdraw"
        case .close, .retire, .askNoMore, .proceed, .withdraw, .discard, .probe, .stopProbe, .limit, .askSpace, .recall,
            .admit, .trust, .unlock, .logIn, .shutDown:
            nil
        }
    }
}

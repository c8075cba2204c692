import TestSupport
import Testing

@testable import WinchModel
@testable import WinchSession

@Suite struct `The command of a session's request` {
    private let ids = [TransferID(3)]

    /// Commands have no `==`.
    private func isSame(_ one: Command?, _ other: Command) -> Bool { one.map { "\($0)" } == "\(other)" }

    private func request(_ action: SessionRequest.Action, which: SessionRequest.Selection? = nil) -> SessionRequest {
        var request = SessionRequest(action)
        request.which = which
        return request
    }

    @Test func `is for the chosen transfers`() {
        expect(isSame(request(.pause).command(for: ids), .pause(ids)))
        expect(isSame(request(.retry, which: .failed).command(for: ids), .retry(ids)))
        expect(isSame(request(.remove).command(for: ids), .remove(ids)))
    }

    @Test func `pauses and resumes later transfers too when it is for all`() {
        expect(isSame(request(.pause, which: .all).command(for: ids), .pauseAll))
        expect(isSame(request(.resume, which: .all).command(for: ids), .resumeAll))
    }

    @Test(arguments: [.follow, .status, .add, .limit, .stop] as [SessionRequest.Action])
    func `does not exist for requests that are not about transfers`(action: SessionRequest.Action) {
        expectNil(request(action).command(for: ids))
    }
}

import TestSupport
import Testing

@testable import WinchModel
@testable import WinchQueue

@Suite struct `A sign of too many connections` {
    private static let refused = TransferFailure.unreachable(host: "h", reason: "refused")

    @Test func `is an answer of a host that takes no more, and no failure of another kind`() {
        let signs: [TransferFailure] = [
            .httpStatus(429), .httpStatus(503), Self.refused, .serverBusy(reply: "421 Too many users"),
        ]
        let others: [TransferFailure] = [
            .httpStatus(403), .httpStatus(404), .httpStatus(500), .hostNotFound("h"),
            .connectTimeout(host: "h", seconds: 15), .stalled(seconds: 30), .connectionLost("reset"),
            .remoteFile(.busy, path: "/f"),
        ]
        expectEqual((signs + others).filter(TooManyConnections.isSign), signs)
    }

    @Test func `is about the client only as 429, and about the URL only as 503 while the host serves others`() {
        let failures: [TransferFailure] = [.httpStatus(429), .httpStatus(503), Self.refused]
        expectEqual(failures.map(TooManyConnections.isSignOfClientLimit), [true, false, false])
        expectEqual(failures.map { TooManyConnections.isOfURL($0, areOthersServed: true) }, [false, true, false])
        expect(!TooManyConnections.isOfURL(.httpStatus(503), areOthersServed: false))
    }

    @Test func `is given to a further connection of a file`() {
        let signs: [SplitRefusal] = [.status(403), .status(429), .status(503), .noConnection]
        let others: [SplitRefusal] = [.status(404), .status(500), .silence]
        expectEqual((signs + others).filter(\.isOfHost), signs)
    }
}

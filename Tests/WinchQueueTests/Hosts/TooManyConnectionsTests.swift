import Testing

@testable import WinchModel
@testable import WinchQueue

@Suite struct `A sign of too many connections` {
    @Test(arguments: [
        TransferFailure.httpStatus(429), .httpStatus(503), .unreachable(host: "h", reason: "refused"),
        .serverBusy(reply: "421 Too many users"),
    ])
    func `is an answer of a host that takes no more`(failure: TransferFailure) {
        #expect(TooManyConnections.isSign(failure))
    }

    @Test(arguments: [
        TransferFailure.httpStatus(403), .httpStatus(404), .httpStatus(500), .hostNotFound("h"),
        .connectTimeout(host: "h", seconds: 15), .stalled(seconds: 30), .connectionLost("reset"),
        .remoteFile(.busy, path: "/f"),
    ])
    func `is not a failure of another kind`(failure: TransferFailure) {
        #expect(!TooManyConnections.isSign(failure))
    }

    @Test func `is about the client only as 429`() {
        #expect(TooManyConnections.isSignOfClientLimit(.httpStatus(429)))
        #expect(!TooManyConnections.isSignOfClientLimit(.httpStatus(503)))
    }

    @Test func `is about the URL only as 503 while the host serves others`() {
        #expect(TooManyConnections.isOfURL(.httpStatus(503), areOthersServed: true))
        #expect(!TooManyConnections.isOfURL(.httpStatus(503), areOthersServed: false))
        #expect(!TooManyConnections.isOfURL(.httpStatus(429), areOthersServed: true))
        #expect(!TooManyConnections.isOfURL(.unreachable(host: "h", reason: "refused"), areOthersServed: true))
    }

    @Test func `is the fault of the URL only as 503 and when it alone is refused three times more`() {
        #expect(TooManyConnections.isURLsFault(.httpStatus(503), timesSingledOut: 3))
        #expect(!TooManyConnections.isURLsFault(.httpStatus(503), timesSingledOut: 2))
        #expect(!TooManyConnections.isURLsFault(.httpStatus(429), timesSingledOut: 9))
    }

    @Test(
        arguments: [
            (.status(403), true), (.status(429), true), (.status(503), true), (.status(404), false),
            (.status(500), false), (.noConnection, true), (.silence, false),
        ] as [(SplitRefusal, Bool)])
    func `is given to a further connection of a file`(refusal: SplitRefusal, isOfHost: Bool) {
        #expect(refusal.isOfHost == isOfHost)
    }
}

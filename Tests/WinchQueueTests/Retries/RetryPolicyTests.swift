import TestSupport
import Testing

@testable import WinchModel
@testable import WinchQueue

@Suite struct `The retry policy` {
    private static func attempt(
        _ failure: TransferFailure, _ change: (inout RetryPolicy.Attempt) -> Void = { _ in }
    ) -> RetryPolicy.Treatment {
        var attempt = RetryPolicy.Attempt(failure)
        change(&attempt)
        return RetryPolicy.treatment(of: attempt, retryWait: .seconds(1))
    }

    @Test(arguments: [
        TransferFailure.unreachable(host: "h", reason: "refused"), .connectTimeout(host: "h", seconds: 15),
        .stalled(seconds: 30), .tooSlow(perSecond: 10, seconds: 30), .cutShort(have: .zero, expected: nil),
        .connectionLost("reset"), .proxy("gone"), .httpStatus(408), .httpStatus(429), .httpStatus(500),
        .httpStatus(502), .httpStatus(503), .httpStatus(504), .httpStatus(507), .httpStatus(599), .httpStatus(202),
        .httpStatus(421), .httpStatus(423), .httpStatus(425),
        .serverBusy(reply: "421 Too many users"), .remoteFile(.busy, path: "/f"), .remoteWrite(.busy, path: "/f"),
    ])
    func `retries after a failure that may be temporary`(failure: TransferFailure) {
        expectEqual(Self.attempt(failure), .again)
    }

    @Test(arguments: [
        TransferFailure.hostNotFound("h"), .timeLimit(seconds: 1), .httpStatus(400), .httpStatus(401),
        .httpStatus(403), .httpStatus(404), .httpStatus(410), .httpStatus(416), .httpStatus(409), .httpStatus(451),
        .httpStatus(501), .askedToWait(status: 503, seconds: 9e3),
        .tooManyRedirects(20), .redirectRefused("file:"), .untrusted("expired"), .tls("version"), .badResponse("x"),
        .nameTaken("x"), .folder("x", reason: "read-only"),
        .readWrite("x", reason: "input/output error; check the disk"),
        .checksum(type: "md5", expected: "", got: ""), .stoppedByFailFast, .other("x"),
        .remoteWrite(.unknown, path: "/f"), .remoteFolder(path: "/f", files: 1, folders: 0, isMore: false),
    ])
    func `does not retry a permanent failure`(failure: TransferFailure) {
        expectEqual(Self.attempt(failure), .never(failure))
        expectEqual(Self.attempt(failure) { $0.isHostShared = true }, .never(failure))
    }

    @Test func `downloads once more when the bytes with the wrong checksum were in a part of unknown origin`() {
        let failure = TransferFailure.checksum(type: "md5", expected: "", got: "")
        let found = Self.attempt(failure) { ($0.retryAfter, $0.isOnlyTry) = (Duration.zero, true) }
        expectEqual(found, .nextRange(after: .zero))
    }

    @Test(arguments: [
        TransferFailure.nameServerDown(host: "h"), .networkDown(host: "h", reason: "network is unreachable"),
    ])
    func `waits for the network without using up tries, unless only one is allowed`(failure: TransferFailure) {
        expectEqual(Self.attempt(failure), .network)
        expectEqual(Self.attempt(failure) { $0.networkAway = RetryPolicy.networkGracePeriod - .seconds(1) }, .network)
        expectEqual(Self.attempt(failure) { $0.networkAway = RetryPolicy.networkGracePeriod }, .again)
        expectEqual(Self.attempt(failure) { $0.isOnlyTry = true }, .again)
    }

    @Test(arguments: [
        (TransferFailure.httpStatus(503), true, 3, RetryPolicy.Treatment.again),
        (.httpStatus(503), true, 2, .hostBusy),
        (.httpStatus(503), false, 3, .again),
        (.httpStatus(503), false, 0, .again),
        (.httpStatus(429), true, 3, .hostBusy),
        (.unreachable(host: "h", reason: "refused"), true, 3, .hostBusy),
        (.httpStatus(500), true, 3, .again),
        (.httpStatus(403), true, 3, .never(.httpStatus(403))),
    ])
    func `blames the URL for repeated 503 responses while the host serves others`(
        failure: TransferFailure, isShared: Bool, timesSingledOut: Int, treatment: RetryPolicy.Treatment
    ) {
        let found = Self.attempt(failure) { ($0.isHostShared, $0.timesSingledOut) = (isShared, timesSingledOut) }
        expectEqual(found, treatment)
    }

    @Test func `does not count a refusal by a host that serves others, though none is connected`() {
        expectEqual(Self.attempt(.httpStatus(503)) { $0.isHostServing = true }, .hostBusy)
        expectEqual(Self.attempt(.httpStatus(429)) { $0.isHostServing = true }, .hostBusy)
        expectEqual(Self.attempt(.unreachable(host: "h", reason: "refused")) { $0.isHostServing = true }, .again)
    }

    @Test func `waits for space when the disk is full`() {
        expectEqual(Self.attempt(.diskFull(folder: ".")), .space)
        let tooSmall = TransferFailure.diskFull(folder: ".", needs: ByteCount(10), size: ByteCount(5))
        expectEqual(Self.attempt(tooSmall), .never(tooSmall))
    }

    @Test func `repeats the lookup of a name that was found before`() {
        expectEqual(Self.attempt(.hostNotFound("h")) { $0.isHostKnown = true }, .again)
    }

    @Test(arguments: [
        TransferFailure.httpStatus(429), .httpStatus(503), .unreachable(host: "h", reason: "refused"),
    ])
    func `treats a refusal while others are connected as a connection limit, for a while`(failure: TransferFailure) {
        expectEqual(Self.attempt(failure) { $0.isHostShared = true }, .hostBusy)
        expectEqual(
            Self.attempt(failure) {
                $0.isHostShared = true
                $0.consecutiveRefusals = RetryPolicy.maxConsecutiveRefusals
            }, .again)
        expectEqual(Self.attempt(.httpStatus(500)) { $0.isHostShared = true }, .again)
    }

    @Test(arguments: [
        (3600.0, RetryPolicy.Treatment.again), (3601, .never(.askedToWait(status: 503, seconds: 3601))),
        (7200, .never(.askedToWait(status: 503, seconds: 7200))),
    ])
    func `waits up to an hour for a server and fails if it asks for more`(
        requestedWait: Double, treatment: RetryPolicy.Treatment
    ) {
        expectEqual(Self.attempt(.httpStatus(503)) { $0.retryAfter = .seconds(requestedWait) }, treatment)
    }

    @Test func `depends on what was asked of the server`() {
        func treatment(_ status: Int, _ use: HTTPStatus.Use, isSentOnce: Bool = false) -> RetryPolicy.Treatment {
            Self.attempt(.httpStatus(status)) { ($0.use, $0.isSentOnce) = (use, isSentOnce) }
        }
        expectEqual(treatment(409, .tus), .again)
        expectEqual(treatment(409, .upload), .never(.httpStatus(409)))
        expectEqual(treatment(507, .upload), .never(.httpStatus(507)))
        // A POST that the server has not taken is sent again; one that may have had its effect is not.
        expectEqual(treatment(423, .upload, isSentOnce: true), .again)
        expectEqual(treatment(500, .upload, isSentOnce: true), .never(.httpStatus(500)))
        expectEqual(treatment(500, .upload), .again)
    }

    @Test(arguments: [403, 404, 413, 499]) func `repeats some refusals only when the server names a time`(status: Int) {
        expectEqual(Self.attempt(.httpStatus(status)) { $0.retryAfter = .seconds(5) }, .again)
        expectEqual(Self.attempt(.httpStatus(status)), .never(.httpStatus(status)))
    }

    @Test func `gives the requested wait as the reason`() {
        let failure = TransferFailure.askedToWait(status: 503, seconds: 7200)
        expectEqual(failure.message, "503 service unavailable; the server asks for a wait of 2 h 0 m")
        expectEqual(failure.exitCode, 29)
        expectEqual(TransferFailure.askedToWait(status: 429, seconds: 7200).exitCode, 29)
    }

    @Test(arguments: [
        (65_536 as Int64, 0.0, 0.0), (1_048_576, 0, 0), (100, 0, 1), (100, 0.5, 0.5), (100, 5, 0),
    ])
    func `continues at once after a large piece, and with a wait after a few bytes`(
        progress: Int64, took: Double, wait: Double
    ) {
        for failure in [TransferFailure.cutShort(have: .zero, expected: nil), .connectionLost("reset")] {
            let treatment = Self.attempt(failure) {
                $0.progress = ByteCount(progress)
                $0.took = .seconds(took)
            }
            expectEqual(treatment, .nextRange(after: .seconds(wait)))
        }
    }
}

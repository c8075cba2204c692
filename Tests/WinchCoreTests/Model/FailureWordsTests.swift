import Testing

@testable import WinchCore

@Suite struct `A failure's short words` {
    private static let failures: [TransferFailure] = [
        .hostNotFound("h"), .unreachable(host: "h", reason: "r"), .connectTimeout(host: "h", seconds: 15),
        .stalled(seconds: 30), .timeLimit(seconds: 60), .tooSlow(perSecond: 1, seconds: 30), .httpStatus(404),
        .askedToWait(status: 503, seconds: 9000), .tooManyRedirects(20), .redirectRefused("t"), .untrusted("r"),
        .tls("r"), .proxy("r"), .cutShort(have: .zero, expected: nil), .connectionLost("r"), .badResponse("r"),
        .nameTaken("n"), .folder("f", reason: "r"), .diskFull(folder: "f"), .readWrite("f", reason: "r"),
        .checksum(type: "md5", expected: "a", got: "b"), .inUse("n", pid: nil), .changed,
        .unexpectedPage(expected: ".zip"), .tooLarge(limit: .zero, size: nil), .stoppedByFailFast, .other("r"),
    ]

    @Test(arguments: failures)
    func `fit where the rate and the time left would stand`(failure: TransferFailure) {
        #expect((1...22).contains(failure.shortMessage.count))
    }

    @Test func `tell them apart`() {
        #expect(Set(Self.failures.map(\.shortMessage)).count == Self.failures.count)
    }
}

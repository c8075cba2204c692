import Testing

@testable import WinchModel

@Suite struct `The exit code of a failure` {
    @Test(
        arguments: [
            (.stalled(seconds: 30), 2), (.httpStatus(404), 3), (.diskFull(folder: "."), 9), (.httpStatus(507), 9),
            (.nameTaken("x"), 13), (.readWrite("x", reason: "y"), 17), (.hostNotFound("x"), 19), (.httpStatus(500), 22),
            (.tooManyRedirects(20), 23), (.httpStatus(401), 24), (.httpStatus(429), 29),
            (.checksum(type: "md5", expected: "", got: ""), 32),
        ] as [(TransferFailure, Int32)])
    func `is aria2's`(failure: TransferFailure, code: Int32) {
        #expect(failure.exitCode == code)
    }
}

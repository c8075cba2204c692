import Testing

@testable import WinchModel

@Suite struct `The words for an HTTP status` {
    @Test(arguments: [
        (401, "login needed (--user)"), (404, "not found"), (429, "too many requests"), (503, "service unavailable"),
        (507, "server's disk is full"),
    ])
    func `say what the status means`(code: Int, words: String) {
        #expect(HTTPStatus.words(code) == words)
        #expect(TransferFailure.httpStatus(code).message == "\(code) \(words)")
    }

    @Test func `exist for statuses that no standard names`() {
        #expect(HTTPStatus.words(599) == "server error")
        #expect(HTTPStatus.words(499) == "refused")
        #expect(HTTPStatus.words(999) == "refused")
    }
}

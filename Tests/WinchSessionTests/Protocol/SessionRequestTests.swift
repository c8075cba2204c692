import Foundation
import TestSupport
import Testing

@testable import WinchModel
@testable import WinchSession

@Suite struct `A request of the session protocol` {
    private func request(_ json: String) throws -> SessionRequest {
        try JSONDecoder().decode(SessionRequest.self, from: Data(json.utf8))
    }

    @Test func `brings the secret of a command, which the command's own encoding leaves out`() throws {
        let request = SessionRequest(carrying: .logIn(origin: "http://h", user: "me", Secret("hunter2")))
        let sent = try JSONDecoder().decode(SessionRequest.self, from: JSONEncoder().encode(request))
        guard case .logIn("http://h", "me", let secret)? = sent.wholeCommand else {
            Issue.record("another command")
            return
        }
        expectEqual(secret.text, "hunter2")
        let command = try JSONEncoder().encode(try require(request.command))
        expect(!String(decoding: command, as: UTF8.self).contains("hunter2"))
    }

    private func spec(_ name: String) throws -> TransferSpec {
        TransferSpec(urls: [try TransferURL("http://h/\(name)")])
    }

    /// 200 presigned URLs of 6 KB are more than a line may have.
    @Test func `adds entries in lines that the session takes`() throws {
        let specs = try (0..<300).map { try spec("\($0)?" + String(repeating: "s", count: 6000)) }
        let requests = try SessionRequest.adding(specs)
        expectMore(requests.count, than: 1)
        expectEqual(requests.flatMap { $0.specs ?? [] }, specs)
        for request in requests { try expectLess(JSONEncoder().encode(request).count, than: 600_000) }
        let short = try (0..<300).map { try spec("\($0)") }
        try expectEqual(SessionRequest.adding(short).count, 1)
    }

    @Test func `names an entry that no line has room for, and adds none`() throws {
        let mirrors = try (0..<900).map { try TransferURL("http://h/\($0)?" + String(repeating: "s", count: 6000)) }
        let long = TransferSpec(urls: mirrors)
        let error = #expect(throws: SessionFailure.self) { try SessionRequest.adding([try spec("a"), long]) }
        expectEqual(error?.message.contains("nothing was added"), true)
    }

    @Test(arguments: [
        #"{"do":"pause"}"#, #"{"n":1}"#, #"{"n":1,"do":"dance"}"#, #"{"n":1,"do":"pause","which":"some"}"#,
    ])
    func `is refused when it is incomplete or unknown`(json: String) {
        #expect(throws: (any Error).self) { try request(json) }
    }
}

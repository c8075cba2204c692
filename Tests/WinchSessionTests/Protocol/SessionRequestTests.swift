import Foundation
import Testing

@testable import WinchModel
@testable import WinchSession

@Suite struct `A request of the session protocol` {
    private func request(_ json: String) throws -> SessionRequest {
        try JSONDecoder().decode(SessionRequest.self, from: Data(json.utf8))
    }

    @Test(
        arguments: [
            ("follow", .follow), ("status", .status), ("unfollow", .unfollow), ("add", .add), ("pause", .pause),
            ("limit", .limit), ("limit-upload", .limitUpload), ("take-over", .takeOver), ("stop", .stop),
        ] as [(String, SessionRequest.Action)])
    func `names what is to be done`(word: String, action: SessionRequest.Action) throws {
        let request = try request(#"{"n":7,"do":"\#(word)"}"#)
        #expect(request.action == action)
        #expect(request.n == 7)
    }

    @Test func `chooses transfers by numbers, parts of names or their state`() throws {
        let request = try request(#"{"n":1,"do":"pause","ids":[3,4],"names":["iso"],"which":"failed"}"#)
        #expect(request.ids == [TransferID(3), TransferID(4)])
        #expect(request.names == ["iso"])
        #expect(request.which == .failed)
    }

    @Test(arguments: [
        #"{"do":"pause"}"#, #"{"n":1}"#, #"{"n":1,"do":"dance"}"#, #"{"n":1,"do":"pause","which":"some"}"#,
    ])
    func `is refused when it is incomplete or unknown`(json: String) {
        #expect(throws: (any Error).self) { try request(json) }
    }
}

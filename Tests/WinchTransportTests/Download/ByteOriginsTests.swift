import TestSupport
import Testing

@testable import WinchModel
@testable import WinchTransport

@Suite struct `The origins of a file's bytes` {
    private let urls: [TransferURL]

    init() throws { urls = try ["one", "other", "third"].map { try TransferURL("http://\($0)/f") } }

    @Test func `tell the address that sent a wrong piece, if it was one alone`() {
        var origins = ByteOrigins()
        origins.note(0..<120, from: urls[0])
        origins.note(120..<250, from: urls[1])
        expectNil(origins.takeWrong(100..<200))
        expectEqual(origins.takeWrong(0..<100), urls[0])
        expectEqual(origins.takeWrong(200..<250), urls[1])
        // Nothing has come since.
        expectNil(origins.takeWrong(200..<250))
        origins.note(0..<100, from: urls[0])
        origins.note(0..<100, from: urls[1])
        expectEqual(origins.takeWrong(0..<100), urls[1], "the bytes that came last")
    }

    @Test func `tell of several addresses the one that has sent another wrong piece`() {
        var origins = ByteOrigins()
        origins.note(0..<150, from: urls[0])
        origins.note(150..<450, from: urls[1])
        origins.note(450..<600, from: urls[2])
        expectNil(origins.takeWrong(100..<200))
        expectEqual(origins.takeWrong(200..<300), urls[1])
        expectEqual(origins.takeWrong(400..<500), urls[1])
    }
}

import Foundation
import TestSupport
import Testing
import WinchModel

@testable import WinchSession

/// winch-protocol(7) is all that authors of other clients have.
@Suite struct `The page of the protocol` {
    private let text: String

    init() throws {
        var root = URL(fileURLWithPath: #filePath)
        while root.lastPathComponent != "Tests" { root.deleteLastPathComponent() }
        let page = root.deletingLastPathComponent().appending(path: "Resources/winch-protocol.7")
        text = try String(contentsOf: page, encoding: .utf8).replacing("\\-", with: "-")
            .replacing("\\(dq", with: " ")
    }

    private func expectWords(_ names: some Sequence<String>, location: SourceLocation = #_sourceLocation) {
        let words = Set(text.split { !($0.isLetter || $0.isNumber || $0 == "-") }.map(String.init))
        for name in names { expect(words.contains(name), "it lacks \(name)", sourceLocation: location) }
    }

    private func fields(_ value: some Encodable) throws -> [String] {
        try JSONDecoder().decode([String: Anything].self, from: JSONEncoder().encode(value)).keys.sorted()
    }

    /// Any JSON.
    private struct Anything: Decodable {
        init(from decoder: any Decoder) {}
    }

    @Test func `names every field of a row, whatever its state`() throws {
        var queue = RandomQueue(seed: 3)
        var names: Set<String> = []
        for number in 1...1000 { names.formUnion(try fields(RowMessage(queue.row(number)))) }
        expectMore(names.count, than: 20)
        expectWords(names)
        expectWords(Mirror(reflecting: RowState(queue.row(1))).children.compactMap(\.label))
    }

    @Test func `names every field of updates, requests and replies`() throws {
        let update = SessionUpdate(base: nil, number: 1, at: Moment(seconds: 1))
        expectWords(Mirror(reflecting: update).children.compactMap(\.label))
        expectWords(Mirror(reflecting: SessionReply(to: 1)).children.compactMap(\.label))
        expectWords(Mirror(reflecting: ServerLine()).children.compactMap(\.label))
        let request = Mirror(reflecting: SessionRequest(.follow)).children.compactMap(\.label)
        expectWords(request.map { $0 == "action" ? "do" : $0 }.filter { $0 != "number" })
        expectWords(try fields(Greeting(winch: "", session: "", pid: 1, origin: UnixTime(milliseconds: 0))))
        expectWords(try fields(Introduction(client: "")))
    }

    @Test func `names every request and state`() {
        let requests: [SessionRequest.Action] = [
            .follow, .status, .unfollow, .add, .pause, .resume, .retry, .cancel, .remove, .limit, .limitUpload,
            .takeOver, .command, .stop,
        ]
        expectWords(requests.map(\.rawValue))
        expectWords(TransferPhase.State.allCases.map(\.rawValue))
        expectWords(RowState.Wait.allCases.map(\.rawValue))
        expectWords(TransferPhase.Outcome.Kind.allCases.map(\.rawValue))
    }
}

import Testing

@testable import WinchModel

@Suite struct `A bound of connections for one file` {
    @Test(
        arguments: [("auto", .auto), ("AUTO", .auto), ("1", .atMost(1)), ("16", .atMost(16))] as [(String, SplitLimit)])
    func `is auto or a number`(text: String, expected: SplitLimit) throws {
        #expect(try SplitLimit(reading: text) == expected)
        #expect(expected.text == text.lowercased())
    }

    @Test(arguments: ["", "0", "17", "-1", "many", "4.5", "99999999999999999999"])
    func `is nothing else`(text: String) {
        #expect(throws: InvalidValue.self) { try SplitLimit(reading: text) }
    }

    @Test func `is at most eight connections by itself`() {
        #expect(SplitLimit.auto.connections == 8)
        #expect(SplitLimit.atMost(100).connections == 16)
        #expect(SplitLimit.atMost(0).connections == 1)
    }
}

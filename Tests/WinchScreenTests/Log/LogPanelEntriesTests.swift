import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `The entries of the log panel` {
    @Test func `puts entries of the log to their places in time`() {
        var journal = LogPanelEntries()
        func entry(_ words: String, _ second: Double) -> LogEntry {
            LogEntry(at: .at(second), subject: .userMessage(words, .info))
        }
        journal.merge([entry("b", 2), entry("a", 1)])
        journal.merge([entry("d", 4)])
        journal.merge([entry("c", 3)])
        #expect((journal.first..<journal.end).compactMap { journal[$0]?.message } == ["a", "b", "c", "d"])
    }
}

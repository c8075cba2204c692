import Testing

@testable import WinchLedger
@testable import WinchModel
@testable import winch

@Suite struct `An entry of the history for other programs` {
    private static func entry(
        _ outcome: LedgerState = .finished(.saved(path: "a.iso")), name: String = "a.iso", size: Int64? = 2048
    ) -> HistoryEntry {
        HistoryEntry(
            key: LedgerKey(1), settledAt: UnixTime(milliseconds: 90_061_500),
            startedAt: UnixTime(milliseconds: 90_000_000),
            name: name, folder: "/d", url: "http://h/a.iso", size: size.map(ByteCount.init(bytes:)),
            received: ByteCount(bytes: 1024), outcome: outcome)
    }

    @Test func `has its fields between TABs, without those of a name`() {
        let fields = Self.entry(name: "a\tb").fields.split(separator: "\t", omittingEmptySubsequences: false)
        #expect(fields.count == 8)
        #expect(fields[1...].prefix(3) == ["finished", "2048", "61"])
        #expect(fields.suffix(3) == ["/d", "http://h/a.iso", ""])
    }

    @Test(
        arguments: [
            (.finished(.sent(path: "a")), "uploaded"), (.finished(.alreadyComplete(path: "a")), "existing"),
            (.finished(.skipped(path: "a")), "skipped"), (.cancelled, "cancelled"),
        ] as [(LedgerState, String)])
    func `says in one word how it ended`(outcome: LedgerState, word: String) {
        #expect(Self.entry(outcome).word == word)
    }
}

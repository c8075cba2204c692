import Testing

@testable import WinchLedger
@testable import WinchModel
@testable import winch

@Suite struct `An entry of the history in JSON` {
    private static func entry(
        _ outcome: LedgerState = .finished(.saved(path: "a.iso")), name: String = "a.iso", size: Int64? = 2048
    ) -> HistoryEntry {
        HistoryEntry(
            key: LedgerKey(1), settledAt: UnixTime(milliseconds: 90_061_500),
            startedAt: UnixTime(milliseconds: 90_000_000),
            name: name, folder: "/d", url: "http://h/a.iso", size: size.map(ByteCount.init(bytes:)),
            received: ByteCount(bytes: 1024), outcome: outcome)
    }

    @Test func `is one JSON object, with the reason of a failure`() {
        let json = Self.entry(.failed(.httpStatus(404)), size: nil).json
        #expect(json.hasPrefix(#"{"time":90061.500,"outcome":"failed","name":"a.iso","folder":"/d""#))
        #expect(json.contains(#""size":null,"downloaded":1024,"#))
        #expect(json.hasSuffix(#""reason":"404 not found","code":3,"status":404}"#))
    }
}

import TestSupport
import Testing

@testable import WinchLedger
@testable import WinchModel
@testable import winch

@Suite struct `The text of the history` {
    private static func entry(
        _ outcome: LedgerState = .finished(.saved(path: "a.iso")), name: String = "a.iso", size: Int64? = 2048,
        url: String = "http://h/a.iso", folder: String = "/d"
    ) -> HistoryEntry {
        HistoryEntry(
            key: LedgerKey(1), settledAt: UnixTime(milliseconds: 90_061_500),
            startedAt: UnixTime(milliseconds: 90_000_000),
            name: name, folder: folder, url: url, size: size.map(ByteCount.init(bytes:)),
            received: ByteCount(bytes: 1024), outcome: outcome)
    }

    @Test func `has a line for each entry below its head, and below that its URL and folder`() {
        let lines = HistoryLines([Self.entry(), Self.entry(.failed(.httpStatus(404)))], columns: 120, isASCII: false)
            .lines
        expectEqual(lines.count, 5)
        expect(lines[0].contains("when") && lines[0].contains("reason"))
        expect(lines[1].contains("finished") && lines[1].contains("2.0 KiB"))
        expectEqual(lines[2], "  http://h/a.iso  in /d")
        expect(lines[3].contains("failed") && lines[3].contains("404 not found"))
        expectEqual(lines[4], lines[2])
        let sent = HistoryLines([Self.entry(.finished(.sent(path: "a")), folder: "")], columns: 120, isASCII: false)
        expectEqual(sent.lines.last, "  http://h/a.iso")
    }

    @Test func `has no signature of a URL, which programs get`() {
        let entry = Self.entry(url: "http://h/a.iso?sig=b")
        let lines = HistoryLines([entry], columns: 120, isASCII: false).lines
        expectEqual(lines[2], "  http://h/a.iso?sig=***  in /d")
        expect(entry.fields.contains("?sig=b"))
    }

    @Test func `has the whole reason on a line of its own where its column is too narrow`() {
        let lines = HistoryLines([Self.entry(.failed(.httpStatus(404)))], columns: 60, isASCII: false).lines
        expectEqual(lines.count, 4)
        expectEqual(lines[2], "  404 not found")
    }

    @Test(arguments: [1, 20, 40, 60, 80, 200])
    func `fits the width of the terminal`(columns: Int) {
        let entry = Self.entry(name: String(repeating: "long", count: 40) + ".iso")
        let lines = HistoryLines([entry], columns: columns, isASCII: true).lines
        // The URL and the folder are not cut.
        for line in lines.dropLast() { expectAtMost(line.count, columns) }
    }

    @Test func `leaves out size and time where they do not fit, and has no head without entries`() {
        expect(!HistoryLines([Self.entry()], columns: 50, isASCII: false).lines[0].contains("size"))
        expect(HistoryLines([], columns: 80, isASCII: false).lines.isEmpty)
    }

    @Test func `has the fields of an entry between TABs for programs, without those of a name`() {
        let fields = Self.entry(name: "a\tb").fields.split(separator: "\t", omittingEmptySubsequences: false)
        expectEqual(fields.count, 8)
        expectEqual(fields[1...].prefix(3), ["finished", "2048", "61"])
        expectEqual(fields.suffix(3), ["/d", "http://h/a.iso", ""])
    }

    @Test(
        arguments: [
            (.finished(.sent(path: "a")), "uploaded"), (.finished(.alreadyComplete(path: "a")), "existing"),
            (.finished(.skipped(path: "a")), "skipped"), (.cancelled, "cancelled"),
        ] as [(LedgerState, String)])
    func `says in one word how an entry ended`(outcome: LedgerState, word: String) {
        expectEqual(Self.entry(outcome).word, word)
    }

    @Test func `has one JSON object for an entry, with the reason of a failure`() {
        let json = Self.entry(.failed(.httpStatus(404)), size: nil).json
        expect(json.hasPrefix(#"{"time":90061.500,"outcome":"failed","name":"a.iso","folder":"/d""#))
        expect(json.contains(#""size":null,"downloaded":1024,"#))
        expect(json.hasSuffix(#""reason":"404 not found","code":3,"status":404}"#))
    }
}

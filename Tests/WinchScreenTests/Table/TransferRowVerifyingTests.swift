import TestSupport
import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `A row that is being verified` {
    private func line(_ change: (inout TransferSnapshot) -> Void, columns: Int = 100) -> String {
        var row = TransferSnapshot.sample(1, "a.bin", .verifying, have: 1000, of: 1000)
        change(&row)
        return Sitting([row], columns: columns).lines.first { $0.contains("a.bin") } ?? ""
    }

    private func filled(_ line: String) -> Int { line.count { $0 == "━" } }

    @Test func `has a bar for the progress of its hash`() {
        let full = line { _ in }
        let half = line { $0.verified = ByteCount(bytes: 500) }
        expect(full.contains("  finishing") && !full.contains("50%"))
        expect(half.contains("checking 50%"), "\(half)")
        expect(filled(half) > 0 && filled(half) * 2 <= filled(full) + 2, "\(half)\n\(full)")
        expectEqual(filled(line { $0.verified = .zero }), 0)
        let done = line {
            $0.phase = .finished(.saved(path: "a.bin"))
            $0.verified = ByteCount(bytes: 500)
        }
        expect(done.contains("100%") && !done.contains("checking"), "during verification only")
    }

    @Test(arguments: [
        (200, "done, but HTML, not .zip"), (120, "done, but HTML, not .zip"), (80, "HTML, not .zip"),
        (60, "done?"),
    ])
    func `ends with the warning if there is one`(columns: Int, words: String) {
        let shown = line(
            {
                $0.phase = .finished(.saved(path: "a.bin"))
                $0.warning = .page(expected: ".zip")
            }, columns: columns)
        expect(shown.contains(words), "\(shown)")
    }

    @Test func `ends like any other after a stream was read to its end first`() {
        var row = TransferSnapshot.sample(1, "a.bin", .finished(.sent(path: "a.bin")), have: 1000, of: 1000)
        let usual = Sitting([row]).canvas
        row.warning = .streamKept
        expectEqual(Sitting([row]).canvas, usual)
        row.warning = .remoteSizeUnknown
        expect(Sitting([row]).canvas != usual)
    }
}

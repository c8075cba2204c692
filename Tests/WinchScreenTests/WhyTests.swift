import Testing
import WinchCore

@testable import WinchScreen

/// A row's reason in words, at the widths where it has little room and much.
@Suite struct `A row's reason` {
    private static let busy = RowPhase.backoff(until: .at(3.5), attempt: 2, limit: 5, failure: .httpStatus(503))
    private static let limits = RowPhase.backoff(until: .at(20), attempt: 2, limit: 0, failure: .httpStatus(429))

    /// From wide to narrow.
    @Test(arguments: [
        (
            RowPhase.waiting(.slot),
            ["waiting for a slot", "waiting for a slot", "waiting for a slot", "waiting"]
        ),
        (
            .waiting(.hostSlot),
            ["waiting for the host's slots", "waiting for the host's slots", "waiting for the host's slots", "waiting"]
        ),
        (.waiting(.sizing), ["asking for its size", "asking for its size", "asking for its size", "sizing"]),
        (.connecting, ["connecting", "connecting", "connecting", "connecting"]),
        (.requested, ["asked, waiting for answer", "asked, waiting for answer", "asked, waiting for answer", "asked"]),
        (.paused, ["paused", "paused", "paused", "paused"]),
        (.verifying, ["checking", "checking", "checking", "checking"]),
        (
            busy,
            [
                "server busy (503), retry in 4 s (2/5)", "server busy (503), retry in 4 s (2/5)",
                "busy, retry in 4 s (2/5)", "busy 4 s",
            ]
        ),
        (
            limits,
            [
                "server limits us (429), retry in 20 s (2)", "server limits us (429), retry in 20 s (2)",
                "server limit, retry in 20 s",
                "429 20 s",
            ]
        ),
        (
            .failed(.diskFull(folder: "got")),
            [
                "disk full: no space left in got", "disk full: no space left in got",
                "disk full: no space left in got", "disk full",
            ]
        ),
    ])
    func `is said in words, however little room there is`(phase: RowPhase, words: [String]) {
        for (columns, words) in zip([200, 120, 80, 56], words) {
            let sitting = Sitting([.sample(1, "a.bin", phase, have: 5, of: 10)], columns: columns)
            let line = sitting.lines.first { $0.contains("a.bin") } ?? ""
            #expect(line.contains("  " + words), "\(columns): \(line)")
        }
    }

    @Test(arguments: [(200, "moving at your rate limit"), (120, "your limit"), (80, "your limit"), (52, "your limit")])
    func `is the person's own limit, beside the rate that it allows`(columns: Int, words: String) {
        var row = RowState.sample(1, "a.bin", .moving, have: 5, of: 10, rate: 102_400)
        row.isAtRateLimit = true
        let line = Sitting([row], columns: columns).lines.first { $0.contains("a.bin") } ?? ""
        #expect(line.contains(words), "\(line)")
        #expect(columns < 64 || line.contains("100 KiB/s"))
        row.stalledSince = .at(-3)
        #expect(Sitting([row], columns: columns).lines.contains { $0.contains("stalled") })
    }
}

@Suite struct `The words of rows` {
    /// Of a kind of row they begin below each other, whatever they are and however wide the table is.
    @Test(arguments: [40, 60, 80, 100, 120, 160, 200])
    func `begin below each other`(columns: Int) {
        let failures: [TransferFailure] = [
            .httpStatus(404), .hostNotFound("no.such.host.example"), .tooManyRedirects(20),
            .unreachable(host: "127.0.0.1:1", reason: "Connection refused"),
            .checksum(
                type: "sha-256", expected: String(repeating: "0", count: 64), got: String(repeating: "f", count: 64)),
            .cutShort(have: ByteCount(bytes: 7_340_032), expected: ByteCount(bytes: 25_165_824)),
        ]
        let rows = failures.enumerated().map { RowState.sample($0 + 1, "f\($0)", .failed($1), have: 5, of: 10) }
        let canvas = Sitting(rows, columns: columns, lines: 30).canvas
        let starts = failures.enumerated().compactMap { place, failure in
            canvas.lines.first { $0.contains(" f\(place) ") }.flatMap { line in
                (line.firstRange(of: failure.message.prefix(5)) ?? line.firstRange(of: failure.shortMessage.prefix(5)))
                    .map { line.distance(from: line.startIndex, to: $0.lowerBound) }
            }
        }
        #expect(starts.count == failures.count)
        #expect(Set(starts).count == 1, "\(canvas.text)")
        #expect(canvas.lines.allSatisfy { $0.count <= columns })
    }
}

@Suite struct `The time left of the queue` {
    private static let row = RowState.sample(1, "a", .moving, have: 5, of: 10, rate: 7, finish: 412)

    @Test(arguments: [ProgressMode.simple, .accurate])
    func `is about so while sizes are guessed`(mode: ProgressMode) {
        let sitting = Sitting([Self.row]) { totals in
            totals.mode = mode
            totals.guessed = 100
        }
        #expect(sitting.lines[0].hasSuffix("about 7 m left"))
        #expect(Sitting([Self.row]).lines[0].hasSuffix(" 6 m 52 s left"))
    }
}

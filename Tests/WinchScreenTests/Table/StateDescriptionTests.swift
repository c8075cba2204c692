import TestSupport
import Testing

@testable import WinchModel
@testable import WinchScreen

/// The words for a row's reason, in narrow and wide tables.
@Suite struct `A row's reason` {
    private static let busy = TransferPhase.backoff(until: .at(3.5), attempt: 2, limit: 5, failure: .httpStatus(503))
    private static let limits = TransferPhase.backoff(until: .at(20), attempt: 2, limit: 0, failure: .httpStatus(429))

    /// The expected words from the widest to the narrowest table.
    @Test(arguments: [
        (
            TransferPhase.waiting(.sizing),
            ["asking for the size", "asking for the size", "asking for the size", "sizing"]
        ),
        (
            .waiting(.space(folder: "got")),
            ["waiting for disk space in got", "waiting for disk space in got", "no disk space", "no space"]
        ),
        (.requested, ["waiting for response", "waiting for response", "waiting for response", "requested"]),
        (
            busy,
            [
                "server busy (503), retry in 4 s (2/5)", "server busy (503), retry in 4 s (2/5)", "busy, retry in 4 s",
                "busy 4 s",
            ]
        ),
        (
            limits,
            [
                "server limits us (429), retry in 20 s (2)", "server limit, retry in 20 s (2)", "429, retry in 20 s",
                "429 20 s",
            ]
        ),
        (
            .failed(.diskFull(folder: "got")),
            ["disk full: no space left in got", "disk full: no space left in got", "disk full", "disk full"]
        ),
    ])
    func `is shown in words at any width`(phase: TransferPhase, words: [String]) {
        for (columns, words) in zip([200, 120, 80, 56], words) {
            let sitting = Sitting([.sample(1, "a.bin", phase, have: 5, of: 10)], columns: columns)
            let line = sitting.lines.first { $0.contains("a.bin") } ?? ""
            expect(line.contains("  " + words), "\(columns): \(line)")
        }
    }

    @Test func `is how much a listing has found`() {
        var found = Found(files: 1234)
        (found.folders, found.unchanged) = (3, 56)
        func line(_ phase: TransferPhase) -> String {
            var row = TransferSnapshot.sample(1, "pub/", phase)
            if phase == .moving { row.found = found }
            return Sitting([row], columns: 200).lines.first { $0.contains("pub/") } ?? ""
        }
        expect(line(.moving).contains("  listing, 1,234 files"), "\(line(.moving))")
        let end = line(.finished(.listed(path: "pub/", found)))
        expect(end.contains("  1,234 files, 3 folders, 56 unchanged"), "\(end)")
    }

    @Test(arguments: [(TransferPhase.waiting(.slot), 5, "(2/5)"), (.waiting(.hostSlot), 0, "(2)")])
    func `is the last failure while it waits for a slot for the next attempt`(
        phase: TransferPhase, limit: Int, tries: String
    ) {
        var row = TransferSnapshot.sample(1, "a.bin", phase)
        row.retry = TransferSnapshot.Retry(failure: .httpStatus(500), attempt: 2, limit: limit)
        let line = Sitting([row], columns: 200).lines.first { $0.contains("a.bin") } ?? ""
        expect(line.contains("500"), "\(line)")
        expect(line.contains("waiting for retry \(tries)"), "\(line)")
    }

    @Test(arguments: [60, 64, 80])
    func `is a reason that is not cut where the bar can give way`(columns: Int) {
        let sitting = Sitting([.sample(1, "a.bin", .failed(.httpStatus(404)), have: 5, of: 10)], columns: columns)
        expect(sitting.lines.contains { $0.contains("404 not found") })
    }

    @Test(arguments: [40, 52, 60, 64, 80, 120], [TransferPhase.moving, .paused])
    func `is beside the bytes of a file of unknown size`(columns: Int, phase: TransferPhase) {
        let row = TransferSnapshot.sample(1, "a.bin", phase, have: 31 << 20, rate: 1000)
        let line = Sitting([row], columns: columns).lines.first { $0.contains("a.bin") } ?? ""
        expect(line.contains("31.0 MiB"), "\(line)")
    }

    @Test(arguments: [(200, true), (120, true), (80, false), (64, false)])
    func `is the rate limit that it has reached`(columns: Int, isBesideRate: Bool) {
        var row = TransferSnapshot.sample(1, "a.bin", .moving, have: 5, of: 10, rate: 102_300)
        row.isAtRateLimit = true
        row.limit = ByteRate(perSecond: 102_400)
        let line = Sitting([row], columns: columns).lines.first { $0.contains("a.bin") } ?? ""
        expect(line.contains("100 KiB/s limit") || isBesideRate && line.contains("at its limit"), "\(line)")
        expectEqual(line.contains("99.9 KiB/s"), isBesideRate)
        row.stalledSince = .at(-3)
        expect(Sitting([row], columns: columns).lines.contains { $0.contains("stalled") })
    }

    @Test(arguments: [200, 120, 80, 64])
    func `leaves room for rate and time left under a total limit, which is named too`(columns: Int) {
        var row = TransferSnapshot.sample(1, "a.bin", .moving, have: 5, of: 10, rate: 102_300, finish: 48)
        row.isAtRateLimit = true
        let sitting = Sitting([row], columns: columns) { $0.rateLimit = ByteRate(perSecond: 102_400) }
        let line = sitting.lines.first { $0.contains("a.bin") } ?? ""
        expect(line.contains("99.9 KiB/s"), "\(line)")
        expect(columns < 80 || line.contains("48 s"), "\(line)")
        expect(line.contains("total limit") || sitting.message.contains("at the total limit"))
    }
}

@Suite struct `The descriptions of rows` {
    /// The words of rows in the same state begin in the same column, whatever the reason and the table's width.
    @Test(arguments: [40, 60, 80, 100, 120, 160, 200])
    func `are aligned within the same state`(columns: Int) {
        let failures: [TransferFailure] = [
            .httpStatus(404), .unreachable(host: "127.0.0.1:1", reason: "Connection refused"),
            .checksum(
                type: "sha-256", expected: String(repeating: "0", count: 64), got: String(repeating: "f", count: 64)),
        ]
        let rows = failures.enumerated().map { TransferSnapshot.sample($0 + 1, "f\($0)", .failed($1), have: 5, of: 10) }
        let canvas = Sitting(rows, columns: columns, lines: 30).canvas
        let starts = failures.enumerated().compactMap { place, failure in
            canvas.lines.first { $0.contains(" f\(place) ") }.flatMap { line in
                (line.firstRange(of: failure.message.prefix(5)) ?? line.firstRange(of: failure.shortMessage.prefix(5)))
                    .map { line.distance(from: line.startIndex, to: $0.lowerBound) }
            }
        }
        expectEqual(starts.count, failures.count)
        expectEqual(Set(starts).count, 1, "\(canvas.text)")
        expect(canvas.lines.allSatisfy { $0.count <= columns })
    }

    @Test func `shows the cause when a bar moves back`() {
        var row = TransferSnapshot.sample(1, "a", .moving, have: 500, of: 1000)
        var sitting = Sitting([row], columns: 120)
        sitting.wait(1)
        row.have = .zero
        row.rebase = Rebase(cause: .rangeIgnored, at: sitting.now, completed: -500, total: 0)
        let rebase = row.rebase
        sitting.update([row]) { $0.rebase = rebase }
        expect(sitting.lines[2].contains("server ignored the range -500 B"))
        expect(sitting.lines[5].contains("server ignored the range -500 B"))
        sitting.handle(.resized(columns: 80, rows: 24))
        expect(sitting.lines[5].contains("range ignored"))
        sitting.wait(5)
        expect(!sitting.lines[5].contains("ignored"))
    }
}

@Suite struct `The symbol of a row's state` {
    @Test(
        arguments: [
            (.waiting(.slot), .down, "·", "."), (.waiting(.held), .up, "·", "."), (.connecting, .down, "○", "o"),
            (.requested, .down, "○", "o"), (.moving, .down, "↓", "v"), (.moving, .up, "↑", "^"),
            (.paused, .down, "‖", "="), (.replying, .up, "○", "o"), (.verifying, .down, "○", "o"),
            (.backoff(until: .at(9), attempt: 2, limit: 5, failure: .httpStatus(503)), .down, "↻", "@"),
            (.finished(.saved(path: "a")), .down, "✓", "+"), (.finished(.skipped(path: "a")), .down, "✓", "+"),
            (.failed(.httpStatus(404)), .down, "✗", "x"), (.cancelled, .down, "–", "-"),
        ] as [(TransferPhase, Direction, Character, Character)])
    func `tells what the transfer does`(
        phase: TransferPhase, direction: Direction, unicode: Character, ascii: Character
    ) {
        let symbol = StateSymbol(phase, direction)
        expectEqual(symbol.character(isASCII: false), unicode)
        expectEqual(symbol.character(isASCII: true), ascii)
    }

    @Test(arguments: [false, true])
    func `differs for every state, without colour too`(isASCII: Bool) {
        expectEqual(Set(StateSymbol.allCases.map { $0.character(isASCII: isASCII) }).count, StateSymbol.allCases.count)
    }
}

import TestSupport
import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `The header` {
    private static let rows: [TransferSnapshot] = [
        .sample(1, "a", .moving, have: 3 << 30, of: 12 << 30, rate: 1_048_576, finish: 412),
        .sample(2, "b", .verifying, have: 100, of: 100), .sample(3, "c", of: 100),
    ]

    @Test func `shows bytes, rate, time left, end time and elapsed time`() {
        let sitting = Sitting(Self.rows, columns: 120) { $0.startedAt = .at(-125) }
        expect(sitting.lines[0].hasSuffix("1.0 MiB/s · 6 m 52 s left · ends 00:23"))
        expect(sitting.lines[2].hasPrefix(" 0 of 3 done · 3.0 of 12.0 GiB · 1 downloading · 1 finishing"))
        expect(sitting.lines[2].hasSuffix("elapsed 2 m 5 s"))
        expect(sitting.lines[3].hasSuffix("4 files at a time · counting bytes"))
    }

    @Test func `says that the list is being read, so that the counts are not taken for all`() {
        let sitting = Sitting(Self.rows, columns: 120) { ($0.isReading, $0.areBytesEstimated) = (true, true) }
        expect(sitting.lines[2].contains("3.0 of ~12.0 GiB") && sitting.lines[2].contains("reading the list"))
        let done = Sitting([.sample(1, "a", .finished(.saved(path: "a")), have: 1, of: 1)]) { $0.isReading = true }
        expect(!done.lines[0].contains("finished"))
    }

    @Test func `changes every second while anything runs, and stops when all is paused`() {
        let running = Sitting([Self.rows[1]]) { ($0.startedAt, $0.finish) = (.at(-125), nil) }
        expectEqual(running.nextFrame, 1)
        let paused = Sitting([.sample(1, "a", .paused, have: 50, of: 100)]) { $0.startedAt = .at(-125) }
        expectNil(paused.nextFrame)
        expect(!paused.lines[2].contains("elapsed"))
    }

    private func over(_ failure: TransferPhase?) -> Sitting {
        var rows: [TransferSnapshot] = (1...3).map {
            .sample($0, "f\($0)", .finished(.saved(path: "f")), have: 1 << 30, of: 1 << 30)
        }
        if let failure { rows[2] = .sample(3, "f3", failure, have: 0, of: 1 << 30) }
        return Sitting(rows, columns: 120) { totals in
            (totals.startedAt, totals.endedAt) = (.at(-400), .at(0))
            // Paused for 37 s.
            (totals.fetched, totals.meanRate) = (3 << 30, ByteRate(perSecond: Double(3 << 30) / 363))
        }
    }

    @Test func `keeps a summary at the end`() {
        var sitting = over(nil)
        sitting.wait(1000)
        sitting.handle(.tick)
        expect(sitting.lines[0].hasSuffix("finished"))
        expect(sitting.lines[1].hasSuffix(" 100%"))
        expectEqual(sitting.lines[2], " 3 of 3 done · 3.0 GiB in 6 m 3 s, mean 8.4 MiB/s")
        expectNil(sitting.nextFrame)
    }

    @Test func `has tenths of a short time at the end`() {
        let row = TransferSnapshot.sample(1, "f", .finished(.saved(path: "f")), have: 1 << 20, of: 1 << 20)
        let sitting = Sitting([row], columns: 120) { totals in
            (totals.startedAt, totals.endedAt) = (.at(-2), .at(0))
            (totals.fetched, totals.meanRate) = (1 << 20, ByteRate(perSecond: Double(1 << 20) / 1.5625))
        }
        expect(sitting.lines[2].contains("1.0 MiB in 1.5 s, mean 655 KiB/s"), "\(sitting.lines[2])")
    }

    @Test func `shows how many transfers succeeded if not all did, in words and colours`() {
        var sitting = over(.failed(.httpStatus(404)))
        sitting.wait(10)
        sitting.handle(.tick)
        expect(sitting.lines[0].hasSuffix("finished"))
        expect(sitting.lines[2].contains("2 of 3 done · 1 failed"))
        expect(sitting.lines[1].contains("█▓▓") && sitting.lines[1].last == "▓", "\(sitting.lines[1])")
        let colors = sitting.canvas.line(1).filter { "█▓".contains($0.text ?? " ") }.map(\.style.foreground)
        expectEqual(Set(colors), [Theme.standard.barDone.foreground, Theme.standard.failure.foreground])
        expect(over(.cancelled).lines[2].contains("1 cancelled"))
        expect(over(.cancelled).lines[1].hasSuffix("▒"))
    }

    @Test func `names a host with a connection limit once`() {
        let sitting = Sitting(Scenes.many(30), columns: 120) { totals in
            totals.hostLimits = [.init(host: "mirror.example.org", connections: 2)]
            totals.fullHosts = ["mirror.example.org"]
        }
        expect(sitting.lines[2].contains("mirror.example.org: limited to 2 connections"))
        expectAtLeast(sitting.lines.count { $0.hasSuffix("  waiting") || $0.contains(" waiting ") }, 15)
        expect(!sitting.canvas.text.contains("host's slots"))
    }
}

@Suite struct `The displayed time left of the queue` {
    private static let row = TransferSnapshot.sample(1, "a", .moving, have: 5, of: 10, rate: 7, finish: 412)

    @Test(arguments: [ProgressMode.simple, .accurate])
    func `is approximate while sizes are estimated`(mode: ProgressMode) {
        let sitting = Sitting([Self.row]) { totals in
            totals.mode = mode
            totals.guessed = 100
        }
        expect(sitting.lines[0].contains("about 7 m left · ends about 00:23"))
        expect(Sitting([Self.row]).lines[0].hasSuffix(" 6 m 52 s left · ends 00:23"))
    }
}

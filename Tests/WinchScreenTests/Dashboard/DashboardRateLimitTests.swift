import TestSupport
import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `A single row's rate limit` {
    @Test(
        arguments: [
            ("2M", 2 * 1_048_576, "Limit 2.0 MiB/s"), ("", nil, "Limit removed"),
            ("0", nil, "Limit removed"),
        ] as [(String, Double?, String)])
    func `is typed after x and removed by an empty line`(text: String, rate: Double?, notice: String) {
        var sitting = Sitting(Scenes.many(3))
        sitting.press("j", "x")
        expect(sitting.footer.contains("Rate limit for file-2.bin"))
        sitting.type(text)
        let expected = ScreenAction.send(.setRateLimitEach([TransferID(2)], rate.map(ByteRate.init(perSecond:)))).words
        expectEqual(sitting.press(.enter), [expected])
        expect(sitting.message.contains(notice))
    }

    /// The prompt contains the old limit, so that Enter alone does not remove it.
    @Test func `is shown for editing when it is set, and replaced by typed text`() {
        var row = TransferSnapshot.sample(1, "file-1.bin", .moving, have: 10, of: 100, rate: 5)
        row.limit = ByteRate(perSecond: 700 * 1024)
        var sitting = Sitting([row])
        sitting.press("x")
        expect(sitting.footer.hasSuffix(": 700K"))
        let same = ScreenAction.send(.setRateLimitEach([TransferID(1)], row.limit)).words
        expectEqual(sitting.press(.enter), [same])
        sitting.press("x")
        sitting.type("2M")
        expect(sitting.footer.hasSuffix(": 2M"))
        sitting.press(.escape, "x", .backspace)
        let none = ScreenAction.send(.setRateLimitEach([TransferID(1)], nil)).words
        expectEqual(sitting.press(.enter), [none])
        var limited = Sitting([row]) { $0.rateLimit = ByteRate(perSecond: 1e6) }
        limited.press("x")
        expect(!limited.footer.contains("700K"), "a share of the queue's limit")
        var details = TransferDetails(
            id: TransferID(1), urls: ["http://h/f"], folder: "d", path: "f", size: .exact(.zero))
        details.rateLimit = ByteRate(perSecond: 500 * 1024)
        limited.update(.details(details, of: [row]))
        expect(limited.footer.hasSuffix(": 500K"), "its own: \(limited.footer)")
    }

    @Test func `that is invalid changes nothing and is explained`() {
        var sitting = Sitting(Scenes.many(3))
        sitting.press("x")
        sitting.type("fast")
        expect(sitting.press(.enter).isEmpty)
        expect(sitting.canvas.text.contains("'fast' is not a rate; use 500K or 2M (bytes a second), or none"))
        expect(sitting.footer.hasSuffix(": fast"), "what was typed stays")
        expect(sitting.press(.escape).isEmpty)
        expectEqual(sitting.dashboard.mode, .normal)
    }
}

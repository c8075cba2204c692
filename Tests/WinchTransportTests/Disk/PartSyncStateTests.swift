import TestSupport
import Testing
import WinchModel

@testable import WinchTransport

@Suite struct `The durability note of a part` {
    private func set(_ ranges: Range<Int64>...) -> ByteRanges { ByteRanges(ranges) }

    @Test func `is a number for a part that is written from the start`() throws {
        expectEqual(PartSyncState(boot: "b", durable: set(0..<500)).text(limit: 100), "b:500")
        expectEqual(PartSyncState(boot: nil, durable: set()).text(limit: 100), "-:0")
        let note = try require(PartSyncState(parsing: "b:500"))
        expect(note.trust(length: 900, boot: "b") == (set(0..<900), set(0..<500)))
        expect(note.trust(length: 900, boot: "c") == (set(0..<500), set(0..<500)))
        expect(note.trust(length: 900, boot: nil) == (set(0..<500), set(0..<500)))
        expect(note.trust(length: 300, boot: "c") == (set(0..<300), set(0..<300)))
        expectEqual(note.written(length: 900), set(0..<900))
    }

    @Test func `lists ranges for a part that is written in several places`() throws {
        let note = PartSyncState(boot: "b", durable: set(0..<50, 200..<300), written: set(0..<100, 200..<400))
        expectEqual(note.text(limit: 100), "b:0-50,200-300/0-100,200-400")
        expectEqual(PartSyncState(parsing: note.text(limit: 100)), note)
        expect(note.trust(length: 350, boot: "b") == (set(0..<100, 200..<350), set(0..<50, 200..<300)))
        expect(note.trust(length: 350, boot: "c") == (set(0..<50, 200..<300), set(0..<50, 200..<300)))
        // Written before the gap was: the length of the file says nothing all the same.
        let begun = PartSyncState(boot: "b", durable: set(), written: set(0..<100))
        expectEqual(begun.text(limit: 100), "b:/0-100")
        expectEqual(PartSyncState(parsing: "b:/0-100")?.trust(length: 9000, boot: "b").trusted, set(0..<100))
    }

    @Test func `omits the smallest ranges where it would be too long for the file system`() throws {
        let ranges = (0..<1000).map { (number: Int64) -> Range<Int64> in
            let start = number * 1_000_000
            return start..<start + 1 + number
        }
        let note = PartSyncState(boot: "b", durable: ByteRanges(ranges[900...]), written: ByteRanges(ranges))
        let text = note.text(limit: 3072)
        expectAtMost(text.utf8.count, 3072)
        let read = try require(PartSyncState(parsing: text))
        let kept = read.trust(length: .max, boot: "b")
        expectMore(kept.trusted.ranges.count, than: 50)
        expect(kept.trusted.ranges.elementsEqual(ranges.suffix(kept.trusted.ranges.count)))
        expectEqual(kept.synced, kept.trusted)
    }

    @Test(
        arguments: [
            "", "nonsense", "b:", "b:x", "b:5-", "b:0-5", "b:0-5/0-6/0-7", "b:5-5/0-9", "b:9-5/0-9", "b:-1-5/0-9",
            "b:0-5/0-9x", "b:0-99999999999999999999/0-5",
        ])
    func `is absent if it cannot be parsed`(text: String) {
        expectNil(PartSyncState(parsing: text))
    }

    @Test func `with a negative number counts as zero`() {
        expectEqual(PartSyncState(parsing: "b:-5")?.trust(length: 10, boot: "c").trusted, set())
    }
}

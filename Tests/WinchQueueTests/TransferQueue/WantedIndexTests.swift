import TestSupport
import Testing

@testable import WinchModel
@testable import WinchQueue

@Suite struct `The index of wanted files` {
    private let files: [WantedFile]

    init() throws {
        files = try (0..<5000).map { try require(TransferSpec(urls: [TransferURL("http://h/\($0)")]).wanted) }
    }

    @Test(arguments: 0..<5)
    func `finds what a dictionary has, once`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var index = WantedIndex()
        var listed: [TransferID: Int] = [:]
        var last = 0
        for _ in 0..<6000 {
            let isNew = last == 0 || Bool.random(using: &random)
            if isNew { last += 1 }
            let id = TransferID(isNew ? last : Int.random(in: 1...last, using: &random))
            // A listed one leaves the list or gets another URL, one that has left comes back.
            if !isNew, listed[id] != nil, Bool.random(using: &random) {
                listed[id] = nil
                continue
            }
            let file = Int.random(in: files.indices, using: &random)
            listed[id] = file
            index.insert(id, for: files[file]) { listed[$0] != nil }
        }
        for (id, file) in listed {
            expectEqual(index.candidates(for: files[file]).count { $0 == id }, 1)
        }
    }

    @Test func `finds few of many for one file, the last among them`() {
        var index = WantedIndex()
        for number in 1...10_000 { index.insert(TransferID(number), for: files[0]) { _ in true } }
        let found = index.candidates(for: files[0])
        expectEqual(found.count, WantedIndex.mostEqual)
        expect(found.contains(TransferID(10_000)))
    }

    @Test func `has no room for transfers that have left`() {
        var index = WantedIndex()
        for number in 1...10_000 {
            index.insert(TransferID(number), for: files[number % files.count]) { $0.number > number - 10 }
        }
        expectAtMost(index.count, 64)
    }
}

import TestSupport
import Testing

@testable import WinchModel

@Suite struct `The URLs of one file` {
    private static func list(_ texts: String...) throws -> MirrorList {
        MirrorList(try texts.map { text throws in try TransferURL(text) })
    }

    private static let long = "https://example.org/" + String(repeating: "x", count: 40_000)

    /// Single URLs, a list with mirrors, one that is empty, and two that are too long for the same block.
    private static func lists() throws -> [MirrorList] {
        [
            try list("http://a.example/1.bin"), try list("http://b.example/2.bin"),
            try list("http://a.example/3.bin", "http://b.example/3.bin"), MirrorList([]),
            try list(long + "1"), try list(long + "2"), try list("ftp://c.example/\u{E9}.bin"),
            try list("sftp://d.example/5.bin"),
        ]
    }

    @Test func `are the same when they are packed`() throws {
        let lists = try Self.lists()
        var packed = lists
        MirrorList.pack(&packed)
        for (list, packed) in zip(lists, packed) {
            expectEqual(Array(packed), Array(list))
            expectEqual(packed, list)
            expectEqual(packed.hashValue, list.hashValue)
        }
    }

    @Test func `can be packed twice`() throws {
        var packed = try Self.lists()
        MirrorList.pack(&packed)
        MirrorList.pack(&packed)
        expectEqual(packed, (try Self.lists()))
    }

    @Test func `can be replaced one by one`() throws {
        var lists = try Self.lists()
        MirrorList.pack(&lists)
        let other = try TransferURL("http://e.example/new")
        lists[0][0] = other
        lists[2][1] = other
        expectEqual(Array(lists[0]), [other])
        expectEqual(lists[1], (try Self.list("http://b.example/2.bin")))
        expectEqual(lists[2], (try Self.list("http://a.example/3.bin", "http://e.example/new")))
    }

    @Test func `take 16 bytes in a row`() {
        expect(MemoryLayout<MirrorList>.stride == 16)
    }
}

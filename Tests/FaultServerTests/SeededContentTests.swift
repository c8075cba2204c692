import FaultServer
import Testing

@Suite struct `Seeded content` {
    @Test(arguments: [0..<0, 0..<1, 3..<5, 7..<9, 8..<16, 5..<100, 999..<1000])
    func `has the same bytes at any starting offset`(range: Range<Int64>) {
        let content = SeededContent(seed: 7)
        let whole = content.bytes(in: 0..<1000)
        #expect(content.bytes(in: range) == Array(whole[Int(range.lowerBound)..<Int(range.upperBound)]))
        #expect(range.allSatisfy { content[$0] == whole[Int($0)] })
    }

    @Test func `extends beyond four gigabytes`() {
        let content = SeededContent(seed: 7)
        let far: Int64 = 5 << 30
        #expect(content.bytes(in: far..<far + 16) != content.bytes(in: 0..<16))
        #expect(content.bytes(in: far - 3..<far + 16).dropFirst(3) == content.bytes(in: far..<far + 16)[...])
    }

    @Test func `is the same in every build`() {
        #expect(SeededContent.seed(of: "a") == 0xAF63_DC4C_8601_EC8C)
        #expect(SeededContent(name: "a").bytes(in: 0..<8) == [0x2B, 0x1F, 0xB4, 0x5C, 0xA4, 0x86, 0xB8, 0xD6])
    }

    @Test func `differs by name, seed and version`() {
        let all = [
            SeededContent(name: "a"), SeededContent(name: "b"), SeededContent(seed: 1), SeededContent(seed: 2),
            SeededContent(name: "a", version: 1), SeededContent(name: "a", version: 2),
        ].map { $0.bytes(in: 0..<32) }
        #expect(Set(all).count == all.count)
    }
}

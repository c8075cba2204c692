import Hashing
import TestSupport
import Testing

@Suite struct `A running hash` {
    @Test(arguments: HashFunction.allCases)
    func `does not depend on how the bytes are split`(function: HashFunction) {
        let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0) }
        var hash = RunningHash(function)
        for cut in [0..<0, 0..<1, 1..<64, 64..<129, 129..<1000] { hash.update(Array(bytes[cut])) }
        expectEqual(hash.digest(), function.hash(bytes))
    }

    @Test func `of a copy is independent of the original`() {
        var first = RunningHash(.sha256)
        first.update([1])
        var second = first
        second.update([2])
        first.update([3])
        expectEqual(first.digest(), HashFunction.sha256.hash([1, 3]))
        expectEqual(second.digest(), HashFunction.sha256.hash([1, 2]))
    }

    @Test func `can be read before the input ends`() {
        var hash = RunningHash(.md5)
        hash.update([1])
        expectEqual(hash.digest(), HashFunction.md5.hash([1]))
        hash.update([2])
        expectEqual(hash.digest(), HashFunction.md5.hash([1, 2]))
    }
}

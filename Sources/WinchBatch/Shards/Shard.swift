package import WinchModel

/// A part of a list: one of several processes that read the same list takes it.
///
/// Each entry is in exactly one of the parts, whatever else is in the list, so that the list can grow. When the number of parts
/// changes from M to a larger N, an entry stays in its part with the probability M/N.
package struct Shard: Hashable, Sendable {
    /// From 0, as Kubernetes and AWS Batch count, and as Slurm does with `--array=0-7`.
    package let index: Int
    /// At least 1, more than `index`.
    package let count: Int

    /// A million parts: more than a cluster has tasks, and a typing error is not taken for a number of parts.
    package static let most = 1_000_000

    /// - Throws: when there is no such part.
    package init(_ index: Int, of count: Int) throws(InvalidValue) {
        guard (1...Self.most).contains(count) else {
            throw InvalidValue("there are 1 to \(NumberFormat.count(Self.most)) shards, not \(count)")
        }
        guard (0..<count).contains(index) else {
            throw InvalidValue(
                "\(index)/\(count) is no shard: they are counted from 0, so the last of \(count) is "
                    + "\(count - 1)/\(count)")
        }
        (self.index, self.count) = (index, count)
    }

    /// As it is given: `3/8`.
    package var text: String { "\(index)/\(count)" }

    package func contains(_ spec: TransferSpec) -> Bool {
        count == 1 || Self.index(of: spec.shardHash, among: count) == index
    }

    /// The part that a hash falls to.
    ///
    /// - Source: Lamping and Veach, "A Fast, Minimal Memory, Consistent Hash Algorithm", 2014. Every step is exact or correctly
    ///   rounded in IEEE 754, so the result is the same on every machine.
    package static func index(of hash: UInt64, among count: Int) -> Int {
        var (key, bucket, next) = (hash, 0, 0)
        while next < count {
            bucket = next
            key = key &* 2_862_933_555_777_941_757 &+ 1
            next = Int(Double(bucket + 1) * (Double(1 << 31) / Double((key >> 33) + 1)))
        }
        return bucket
    }
}

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
            let step: Double = Double(1 << 31) / Double((key >> 33) + 1)
            next = Int(Double(bucket + 1) * step)
        }
        return bucket
    }
}

/// A hash of 64 bits that is the same in every process, on every machine and in every version, unlike Swift's `Hasher`. It is
/// no protection against texts that are made to collide.
///
/// FNV-1a over the bytes, then the last step of SplitMix64, because the high bits of FNV-1a hardly depend on the last bytes.
///
/// - Source: draft-eastlake-fnv, section 2.
struct ShardHash: Hashable, Sendable {
    private var state: UInt64 = 0xCBF2_9CE4_8422_2325

    init() {}

    /// Adds a text and an end mark, so that `a`, `bc` and `ab`, `c` differ.
    mutating func combine(_ text: String) {
        for byte in text.utf8 { combine(byte) }
        combine(0)
    }

    private mutating func combine(_ byte: UInt8) {
        state = (state ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
    }

    var value: UInt64 { SplitMix64.mixed(state) }
}

package struct ShardFigures: Hashable, Sendable {
    package let shard: Shard
    package var entries = 0
    /// Of the whole list, without duplicates and entries with errors.
    package var listed = 0

    package init(_ shard: Shard) {
        self.shard = shard
    }

    /// For the user: `shard 3/8: 1,250 of 10,000 entries`.
    package var words: String {
        let noun = listed == 1 ? "entry" : "entries"
        return "shard \(shard.text): \(NumberFormat.count(entries)) of \(NumberFormat.count(listed)) \(noun)"
    }
}

extension TransferSpec {
    /// Of what the entry asks for, as its text says it: no absolute path and no home folder is part of it, because the list is
    /// read on several machines. Entries that `DuplicateFilter` takes for the same have the same hash.
    ///
    /// `ShardHash` over the first URL in normal form and without its login, then `out=`, or an empty text. Of an upload also
    /// the last part of the file's path; of a form the name and the value of each field, of a file the last part of its path.
    package var shardHash: UInt64 {
        var hash = ShardHash()
        hash.combine(urls.first.map { TransferURL.redacted($0.normal) } ?? "")
        hash.combine(name?.text ?? "")
        switch upload?.content {
        case .file(let path), .folder(let path): hash.combine(path.lastPathPart ?? "")
        case .form(let fields):
            for field in fields {
                hash.combine(field.name)
                switch field.value {
                case .text(let text): hash.combine(text)
                case .file(let path, _, _): hash.combine(path.lastPathPart ?? "")
                }
            }
        case .standardInput, .open, nil: break
        }
        return hash.value
    }
}

/// The value of `--shard`.
package enum ShardChoice: Hashable, Sendable {
    case fixed(Shard)
    /// The environment that a scheduler gives to its tasks says which.
    ///
    /// - Parameter count: of all parts, where it was given; `nil`: the environment says that as well.
    case automatic(count: Int?)

    /// - Parameter text: `3/8`, `auto` or `auto/8`.
    package init(reading text: some StringProtocol) throws(InvalidValue) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.first?.lowercased() == "auto" {
            guard parts.count == 2 else {
                self = .automatic(count: nil)
                return
            }
            guard let count = Int(digits: parts[1]) else { throw Self.invalid(text) }
            // Checks the number.
            self = .automatic(count: try Shard(0, of: count).count)
            return
        }
        guard parts.count == 2, let index = Int(digits: parts[0]), let count = Int(digits: parts[1]) else {
            throw Self.invalid(text)
        }
        self = .fixed(try Shard(index, of: count))
    }

    /// - Parameter environment: of the process.
    /// - Throws: when the environment does not say which part it is, or contradicts itself.
    package func shard(in environment: [String: String]) throws(InvalidValue) -> Shard {
        switch self {
        case .fixed(let shard): shard
        case .automatic(let count): try ArrayTask.shard(count: count, in: environment)
        }
    }

    private static func invalid(_ text: some StringProtocol) -> InvalidValue {
        InvalidValue("'\(text.prefix(40))' is no shard; use 3/8 (counted from 0), auto, or auto/8")
    }
}

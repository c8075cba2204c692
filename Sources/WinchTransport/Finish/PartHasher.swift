import Glibc
import Hashing
import Synchronization
import WinchModel

/// The hashes of one file, made while it comes.
///
/// Bytes are read back from the part, while the system still has them in memory: no queue of them can grow, and a resumed
/// part is hashed from its start in the same way. Any thread but the loop's may read.
final class PartHasher: Sendable {
    private struct Work {
        var sums: [PartHash]
        var hashed: Int64
    }

    private struct Reach {
        /// So many bytes of the file can be hashed.
        var end: Int64 = 0
        var isQueued = false
        var isGivenUp = false
    }

    let demands: [ExpectedChecksum]
    private let file: Descriptor
    private let path: String
    private let work: Mutex<Work>
    private let reach = Mutex(Reach())

    private static let piece = 256 << 10
    /// One turn: short enough that several files take turns, long enough not to cost anything by itself.
    private static let slice: Int64 = 8 << 20

    /// - Parameter start: of the bytes that are hashed, in the file.
    init(_ demands: [ExpectedChecksum], file: Descriptor, path: String, from start: Int64 = 0) {
        self.demands = demands
        self.file = file
        self.path = path
        work = Mutex(Work(sums: demands.map { PartHash($0) }, hashed: start))
    }

    /// The file holds this much now.
    ///
    /// - Returns: true when it must be queued for `advance`.
    func extend(to end: Int64) -> Bool {
        reach.withLock { reach in
            reach.end = max(reach.end, end)
            guard !reach.isQueued, !reach.isGivenUp else { return false }
            reach.isQueued = true
            return true
        }
    }

    /// The hash is not needed any more: the bytes are about to be replaced, or no more come.
    func giveUp() { reach.withLock { $0.isGivenUp = true } }

    /// Hashes one slice while the file is received. An error here is thrown by `complete`.
    ///
    /// - Returns: true when there is more to do.
    func advance() -> Bool {
        let end = reach.withLock { $0.isGivenUp ? 0 : $0.end }
        let hashed = try? readSlice(to: end)
        return reach.withLock { reach in
            reach.isQueued = !reach.isGivenUp && hashed.map { $0 < reach.end } ?? false
            return reach.isQueued
        }
    }

    /// Hashes what is left of the complete file, and judges.
    ///
    /// - Parameters:
    ///   - size: of the whole.
    ///   - isWanted: asked between slices; false ends it.
    ///   - progress: bytes hashed, after every slice.
    /// - Returns: false when it was ended before all was read.
    /// - Throws: `.checksum` when one is another, `.readWrite` when the file cannot be read.
    @discardableResult func complete(
        size: Int64, isWanted: () -> Bool = { true }, progress: (Int64) -> Void = { _ in }
    ) throws(TransferFailure) -> Bool {
        giveUp()
        while isWanted() {
            let hashed = try readSlice(to: size)
            guard hashed < size else {
                for sum in work.withLock({ $0.sums }) { try sum.check() }
                return true
            }
            progress(hashed)
        }
        return false
    }

    /// - Returns: the position up to which the file is hashed then.
    private func readSlice(to end: Int64) throws(TransferFailure) -> Int64 {
        try work.withLock { (work) throws(TransferFailure) -> Int64 in
            try read(&work, to: min(end, work.hashed + Self.slice))
            return work.hashed
        }
    }

    private func read(_ work: inout Work, to end: Int64) throws(TransferFailure) {
        guard work.hashed < end else { return }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.piece, alignment: 4096)
        defer { buffer.deallocate() }
        while work.hashed < end {
            let count = file.fill(buffer, most: end - work.hashed, at: work.hashed)
            guard count > 0 else {
                let short = "the file on disk is shorter than what was received"
                throw .readWrite(path, reason: count == 0 ? short : ErrnoFailure.words(errno))
            }
            let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
            for index in work.sums.indices { work.sums[index].take(bytes, at: work.hashed) }
            work.hashed += Int64(count)
        }
    }
}

/// One demand on a file, with the hash of the bytes seen so far.
struct PartHash: Sendable {
    let demand: ExpectedChecksum
    private var hash: RunningHash

    init(_ demand: ExpectedChecksum) {
        self.demand = demand
        hash = RunningHash(demand.checksum.algorithm.function)
    }

    /// Takes the file's next bytes.
    ///
    /// - Parameter offset: where in the file they stand.
    mutating func take(_ bytes: UnsafeRawBufferPointer, at offset: Int64) {
        var bytes = bytes
        if let range = demand.range {
            let here = range.clamped(to: offset..<offset + Int64(bytes.count))
            guard !here.isEmpty else { return }
            bytes = UnsafeRawBufferPointer(
                rebasing: bytes[Int(here.lowerBound - offset)..<Int(here.upperBound - offset)])
        }
        hash.update(bytes)
    }

    /// - Throws: `.checksum` when it is another one, `.other` when libcrypto does not compute this one.
    func check() throws(TransferFailure) {
        let (algorithm, expected) = (demand.checksum.algorithm, demand.checksum.hex)
        let digest = hash.digest()
        guard !digest.isEmpty else { throw .other("OpenSSL refuses to compute \(algorithm.rawValue)") }
        let got = digest.hex
        guard got == expected else {
            throw .checksum(type: algorithm.rawValue, expected: expected, got: got)
        }
    }
}

extension Checksum.Algorithm {
    fileprivate var function: HashFunction {
        switch self {
        case .md5: .md5
        case .sha1: .sha1
        case .sha256: .sha256
        case .sha512: .sha512
        }
    }
}

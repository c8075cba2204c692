import Hashing
import WinchModel

/// One demand on a file, with the hash of the bytes seen so far.
struct PartHash: Sendable {
    let demand: ExpectedDigest
    private var hash: RunningHash

    init(_ demand: ExpectedDigest) {
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

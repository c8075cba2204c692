import Crypto
import WinchCore

/// One demand on a file, with the hash of the bytes seen so far.
struct RunningSum: Sendable {
    let demand: DigestDemand
    private var function: Function

    private enum Function: Sendable {
        case md5(Insecure.MD5), sha1(Insecure.SHA1), sha256(SHA256), sha512(SHA512)
    }

    init(_ demand: DigestDemand) {
        self.demand = demand
        function =
            switch demand.checksum.algorithm {
            case .md5: .md5(Insecure.MD5())
            case .sha1: .sha1(Insecure.SHA1())
            case .sha256: .sha256(SHA256())
            case .sha512: .sha512(SHA512())
            }
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
        switch function {
        case .md5(var hash):
            hash.update(bufferPointer: bytes)
            function = .md5(hash)
        case .sha1(var hash):
            hash.update(bufferPointer: bytes)
            function = .sha1(hash)
        case .sha256(var hash):
            hash.update(bufferPointer: bytes)
            function = .sha256(hash)
        case .sha512(var hash):
            hash.update(bufferPointer: bytes)
            function = .sha512(hash)
        }
    }

    /// - Throws: `.checksum` when it is another one.
    func check() throws(TransferFailure) {
        let digest: [UInt8] =
            switch function {
            case .md5(let hash): Array(hash.finalize())
            case .sha1(let hash): Array(hash.finalize())
            case .sha256(let hash): Array(hash.finalize())
            case .sha512(let hash): Array(hash.finalize())
            }
        let (algorithm, expected) = (demand.checksum.algorithm, demand.checksum.hex)
        let got = digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        guard got == expected else {
            throw .checksum(type: algorithm.rawValue, expected: expected, got: got)
        }
    }
}

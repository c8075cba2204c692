import Crypto
import Glibc
import WinchCore

/// The checksum of a whole file, read from its start.
enum FileDigest {
    private static let piece = 256 << 10

    /// - Throws: `.checksum` when it is another one, `.readWrite` when the file cannot be read.
    static func check(_ file: Descriptor, path: String, against checksum: Checksum) throws(TransferFailure) {
        let got: String =
            switch checksum.algorithm {
            case .md5: try digest(file, path, Insecure.MD5())
            case .sha1: try digest(file, path, Insecure.SHA1())
            case .sha256: try digest(file, path, SHA256())
            case .sha512: try digest(file, path, SHA512())
            }
        guard got == checksum.hex else {
            throw .checksum(type: checksum.algorithm.rawValue, expected: checksum.hex, got: got)
        }
    }

    private static func digest(
        _ file: Descriptor, _ path: String, _ function: some HashFunction
    ) throws(TransferFailure) -> String {
        var function = function
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: piece, alignment: 4096)
        defer { room.deallocate() }
        var offset: off_t = 0
        while true {
            let count = pread(file.number, room.baseAddress, room.count, offset)
            if count == 0 { break }
            if count < 0 {
                if errno == EINTR { continue }
                throw .readWrite(path, reason: DiskFailure.words(errno))
            }
            function.update(bufferPointer: UnsafeRawBufferPointer(rebasing: room[..<count]))
            offset += off_t(count)
        }
        return function.finalize().map { hex($0) }.joined()
    }

    private static func hex(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
}

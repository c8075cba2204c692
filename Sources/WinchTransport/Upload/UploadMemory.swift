import CTransport
import Glibc

/// Bytes in memory that are uploaded like a file.
package enum UploadMemory {
    /// - Returns: the descriptor of a file in memory, to be closed; `nil` when there is none to be had.
    package static func open(_ bytes: [UInt8]) -> Int32? {
        let number = winch_open_in_memory("upload")
        guard number >= 0 else { return nil }
        var position = 0
        while position < bytes.count {
            let count = bytes.withUnsafeBytes {
                pwrite(number, $0.baseAddress.map { $0 + position }, bytes.count - position, position)
            }
            guard count > 0 else {
                if count < 0, errno == EINTR { continue }
                close(number)
                return nil
            }
            position += count
        }
        return number
    }
}

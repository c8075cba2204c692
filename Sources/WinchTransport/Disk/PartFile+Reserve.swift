import CTransport
import Glibc
import WinchModel

/// Disk space that is reserved for bytes to come. The length of the file stays: it always says which bytes have come.
///
/// A process that is killed cannot give it back: the part takes the space of the whole file (`du` shows it, `ls` does not) until
/// a run goes on with the part and stops or completes it, or the part is removed.
extension PartFile {
    private var allocated: Int64 { file.status.map { Int64($0.st_blocks) * 512 } ?? 0 }

    /// Space of the file that none of the bytes held takes: reserved by an earlier run, behind the last byte or in the gaps.
    var spare: Int64 { max(0, allocated - held.byteCount.bytes) }

    /// Bytes of free space that the rest of a file of `total` bytes needs.
    func neededSpace(for total: Int64) -> Int64 { max(0, total - held.byteCount.bytes - spare) }

    /// Reserves space for the missing bytes up to `end`, the size of the file.
    ///
    /// - Returns: false where the file system cannot do it, or nothing is missing.
    /// - Throws: `.diskFull`.
    func reserve(to end: Int64) throws(TransferFailure) -> Bool {
        if reservedEnd > end { giveBackReserve() }
        guard end > written else { return false }
        while winch_reserve(file.number, written, end - written) != 0 {
            switch errno {
            case EINTR: continue
            case ENOSPC:
                // Some file systems keep what they could reserve.
                reservedEnd = end
                giveBackReserve()
                throw failure(ENOSPC)
            // Mostly EOPNOTSUPP. What else is wrong, such as a quota, the first write tells.
            default: return false
            }
        }
        reservedEnd = end
        return true
    }

    /// Space that an earlier run has reserved is given back with that of this run, also where this one reserves none.
    func takeOverReserve() { reservedEnd = max(reservedEnd, allocated) }

    /// Gives back the space behind the last byte.
    func giveBackReserve() {
        // Setting the length that it has frees the blocks behind it.
        if reservedEnd > length { _ = ftruncate(file.number, off_t(length)) }
        reservedEnd = 0
    }
}

import CTransport
import Glibc

/// An open file or folder, closed with its last reference, on whichever thread that is.
final class Descriptor: Sendable {
    let number: Int32

    init(_ number: Int32) { self.number = number }

    deinit { close(number) }

    /// Waits until it is on the disk. Returns 0 or an error number.
    ///
    /// A method, because a bare number outlives its descriptor easily.
    func sync() -> Int32 { withExtendedLifetime(self) { fsync(number) == 0 ? 0 : errno } }

    /// Waits until its bytes are on the disk, and the metadata needed to read them. Returns 0 or an error number.
    func syncBytes() -> Int32 { withExtendedLifetime(self) { fdatasync(number) == 0 ? 0 : errno } }

    /// Asks the system to begin writing to the disk, and does not wait for it.
    func startWriteback(from: Int64, length: Int64) {
        withExtendedLifetime(self) { _ = winch_start_writeback(number, from, length) }
    }
}

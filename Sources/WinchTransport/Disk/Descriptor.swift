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
}

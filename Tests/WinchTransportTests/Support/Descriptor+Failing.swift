import Glibc
import TestSupport

@testable import WinchTransport

extension Descriptor {
    /// A sync that fails, as on a bad disk: the system reports it once, and the next one succeeds.
    func failSync() {
        // O_PATH, which Glibc's module leaves out: it names a file that can be neither read nor synced.
        let (file, none) = (dup(number), Glibc.open("/", 0o10000000 | O_CLOEXEC))
        dup2(none, number)
        expectEqual(sync(), EBADF)
        dup2(file, number)
        close(file)
        close(none)
    }
}

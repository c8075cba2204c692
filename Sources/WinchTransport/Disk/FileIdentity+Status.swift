package import Glibc
package import WinchModel

extension FileIdentity {
    package init(_ status: stat) {
        self.init(
            device: UInt64(status.st_dev), node: UInt64(status.st_ino), length: Int64(status.st_size),
            modified: Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec))
    }

    init?(_ file: Descriptor) {
        var status = stat()
        guard fstat(file.number, &status) == 0 else { return nil }
        self.init(status)
    }
}

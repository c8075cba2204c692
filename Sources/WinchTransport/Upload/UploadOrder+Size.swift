import Glibc
package import WinchModel

extension UploadOrder {
    /// The size of the file that is sent; `nil`: it is none, or is known at the end only. Reads the file system.
    package var sizeOnDisk: ByteCount? {
        var status = stat()
        guard let file, stat(file.cBytes, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            !UnsizedFile.hasBytes(file, status)
        else { return nil }
        return ByteCount(bytes: Int64(status.st_size))
    }
}

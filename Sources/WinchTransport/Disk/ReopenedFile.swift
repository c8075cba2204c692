import Glibc
import WinchModel

/// A file that libcurl opens for each connection: certificates, a key, cookies, a netrc.
package enum ReopenedFile {
    /// Why it cannot be one; `nil`: it can, or is not there. libcurl would wait for the writer of a FIFO on the thread of all
    /// transfers, and read some devices without end.
    package static func fault(_ path: String) -> String? {
        var status = stat()
        guard stat(path.cBytes, &status) == 0 else { return nil }
        switch status.st_mode & S_IFMT {
        // libcurl itself refuses a folder.
        case S_IFREG, S_IFDIR: return nil
        case S_IFIFO:
            return "a FIFO or pipe, which can be read once; each connection reads it: a regular file is needed"
        default:
            var null = stat()
            guard stat("/dev/null", &null) == 0 else { return nil }
            let isNull = null.st_mode == status.st_mode && null.st_rdev == status.st_rdev
            return isNull ? nil : "a device or socket; a regular file is needed"
        }
    }
}

extension TransferSettings {
    /// Why libcurl must not open one of the files; `nil`: it may.
    var fileFault: TransferFailure? {
        for case let path? in [cookieFile, caFile, certificateFile, keyFile] {
            if let fault = ReopenedFile.fault(path) { return .readWrite(path, reason: fault) }
        }
        return nil
    }
}

import Glibc
import WinchModel
import WinchSSH

/// A known_hosts file that a key is added to.
struct KnownHostsFile {
    let path: String

    /// Adds a line at the end. Creates the file for the user alone, and the folder that it lies in.
    ///
    /// - Returns: why not; `nil` when it is there now.
    func append(_ key: HostKey) -> String? {
        if let slash = path.lastIndex(of: "/") { mkdir(String(path[..<slash]).cBytes, 0o700) }
        let number = open(path.cBytes, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0o600)
        guard number >= 0 else { return ErrnoFailure.words(errno) }
        let file = Descriptor(number)
        var status = stat()
        guard fstat(file.number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return "not a file" }
        var last = UInt8(ascii: "\n")
        if status.st_size > 0 { _ = pread(file.number, &last, 1, status.st_size - 1) }
        let line = (last == UInt8(ascii: "\n") ? "" : "\n") + KnownHosts.line(for: key) + "\n"
        let bytes = Array(line.utf8)
        guard write(file.number, bytes, bytes.count) == bytes.count else { return ErrnoFailure.words(errno) }
        return nil
    }
}

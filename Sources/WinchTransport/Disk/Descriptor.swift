import CTransport
package import Glibc
import Synchronization
package import WinchModel

/// An open file or folder, closed with its last reference, on whichever thread that is.
final class Descriptor: Sendable {
    let number: Int32
    /// Held during a sync: another one that runs meanwhile may be told of success.
    private let syncing = Mutex(())
    private let firstSyncError = Atomic<Int32>(0)

    init(_ number: Int32) { self.number = number }

    deinit { close(number) }

    /// - Parameters:
    ///   - folder: in which the path begins; `nil`: the current one.
    ///   - mode: of a file that is made.
    /// - Returns: `nil` with `errno` when it cannot be opened.
    static func open(
        _ path: String, in folder: Descriptor? = nil, _ flags: Int32, mode: mode_t = 0o600
    ) -> Descriptor? {
        let number = withExtendedLifetime(folder) {
            openat(folder?.number ?? AT_FDCWD, path.cBytes, flags | O_CLOEXEC, mode)
        }
        return number >= 0 ? Descriptor(number) : nil
    }

    /// `nil` with `errno` when the system does not tell it.
    var status: stat? {
        var status = stat()
        return withExtendedLifetime(self) { fstat(number, &status) } == 0 ? status : nil
    }

    /// The entry of this name in the folder, if there is one; of a link the link itself.
    func status(of name: String) -> stat? {
        var status = stat()
        return withExtendedLifetime(self) { fstatat(number, name.cBytes, &status, AT_SYMLINK_NOFOLLOW) } == 0
            ? status : nil
    }

    /// The bytes from where it stands to its end.
    ///
    /// - Returns: some more than `most`, if there are more; `nil` with `errno` when they cannot be read.
    func bytes(most: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        if let status = self.status, status.isFile { bytes.reserveCapacity(min(Int(status.st_size), most)) }
        let code = readPieces { piece in
            bytes += piece
            return bytes.count <= most
        }
        errno = code
        return code == 0 ? bytes : nil
    }

    /// Reads to the end, or until `take` returns false. Returns 0 or an error number.
    func readPieces(_ take: (ArraySlice<UInt8>) -> Bool) -> Int32 {
        withExtendedLifetime(self) {
            var block = [UInt8](repeating: 0, count: 64 << 10)
            while true {
                let count = read(number, &block, block.count)
                if count < 0, errno == EINTR { continue }
                guard count >= 0 else { return errno }
                guard count > 0, take(block[..<count]) else { return 0 }
            }
        }
    }

    /// Reads at a position into the buffer, `most` bytes at most.
    ///
    /// - Returns: their number; 0 at the end, less with `errno`.
    func fill(_ buffer: UnsafeMutableRawBufferPointer, most: Int64, at offset: Int64) -> Int {
        withExtendedLifetime(self) {
            while true {
                let count = pread(
                    number, buffer.baseAddress, Int(min(Int64(buffer.count), most)), off_t(offset))
                if count >= 0 || errno != EINTR { return count }
            }
        }
    }

    /// How many of `bytes`, from their start, are the same in the file at `offset`. What cannot be read is not.
    func matching(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> Int {
        withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 16) { buffer in
            var done = 0
            while done < bytes.count {
                let count = fill(buffer, most: Int64(bytes.count - done), at: offset + Int64(done))
                guard count > 0, let read = buffer.baseAddress, let base = bytes.baseAddress else { return done }
                guard memcmp(read, base + done, count) == 0 else {
                    return done + (0..<count).prefix { buffer[$0] == bytes[done + $0] }.count
                }
                done += count
            }
            return done
        }
    }

    /// Its last name was removed, by the user or another process.
    var isGone: Bool { status?.st_nlink == 0 }

    /// The error number of the first sync that failed; 0: none has. Bytes that were written since the sync before it may be lost.
    var syncError: Int32 { firstSyncError.load(ordering: .acquiring) }

    /// Waits until it is on the disk. Returns 0 or an error number.
    ///
    /// A method, because a bare number outlives its descriptor easily.
    func sync() -> Int32 { sync(fsync) }

    /// Waits until its bytes are on the disk, and the metadata needed to read them. Returns 0 or an error number.
    func syncBytes() -> Int32 { sync(fdatasync) }

    /// The system reports a failed write once and drops the bytes: the next sync succeeds without them.
    private func sync(_ call: (Int32) -> Int32) -> Int32 {
        withExtendedLifetime(self) {
            syncing.withLock { _ in
                while syncError == 0, call(number) != 0 {
                    // Some file systems that a program serves have nothing to wait for, and say that they cannot: no byte is lost.
                    if [EINVAL, ENOSYS, EOPNOTSUPP].contains(errno) { return 0 }
                    if errno != EINTR { firstSyncError.store(errno, ordering: .releasing) }
                }
                return syncError
            }
        }
    }

    /// Asks the system to begin writing to the disk, and does not wait for it.
    func startWriteback(_ range: Range<Int64>) {
        withExtendedLifetime(self) { _ = winch_start_writeback(number, range.lowerBound, Int64(range.count)) }
    }
}

/// Files and folders that are gone when the program has ended.
package enum TemporaryFiles {
    /// What TMPDIR names.
    ///
    /// - Parameter standard: when it names nothing.
    package static func place(else standard: String = "/tmp") -> String {
        getenv("TMPDIR").map { String(systemC: $0) }.flatMap { $0.isEmpty ? nil : $0 } ?? standard
    }

    /// Makes a folder that only the user can enter; the caller deletes it.
    ///
    /// - Returns: its path; `nil` with `errno` when it cannot be made.
    package static func makeFolder() -> String? {
        var path = template(in: place())
        guard mkdtemp(&path) != nil else { return nil }
        return String(system: path.dropLast().map(UInt8.init(bitPattern:)))
    }

    /// Opens a new file that has no name: the system frees its space when it is closed, also by the end of the program.
    ///
    /// - Returns: `nil` with `errno` when it cannot be made.
    static func openUnnamed(in folder: String) -> Descriptor? {
        var path = template(in: folder)
        let number = mkstemp(&path)
        guard number >= 0 else { return nil }
        unlink(path)
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        return Descriptor(number)
    }

    /// The system replaces the six marks at the end.
    private static func template(in folder: String) -> [CChar] { "\(folder)/winch-XXXXXX".cBytes }
}

extension stat {
    /// A regular file.
    var isFile: Bool { st_mode & S_IFMT == S_IFREG }
    var isFolder: Bool { st_mode & S_IFMT == S_IFDIR }
    var isLink: Bool { st_mode & S_IFMT == S_IFLNK }
}

extension FileIdentity {
    package init(_ status: stat) {
        self.init(
            device: UInt64(status.st_dev), node: UInt64(status.st_ino), length: Int64(status.st_size),
            modified: Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec))
    }

    init?(_ file: Descriptor) {
        guard let status = file.status else { return nil }
        self.init(status)
    }
}

import Glibc
import WinchBatch
import WinchModel
import WinchScreen
import WinchTransport

/// Writes settings to the settings file: those that differ from the default, and those that the file has already.
struct SettingsSaver {
    /// The settings file, which need not exist; `nil` with `--no-config` or without a home folder.
    let path: String?
    /// The home folder, to show paths in it as `~/...`; `nil`: not known.
    let home: String?

    /// The largest file that is edited, in bytes; a settings file has a few dozen lines.
    private static let largest = 1 << 20

    private typealias Fault = InputFile.Failure

    func save(_ settings: [NameValueLine]) -> ScreenEvent {
        guard let path else { return .problems(["Nothing is saved: --no-config keeps settings out of files"]) }
        let shown = home.flatMap { path.hasPrefix($0 + "/") ? "~" + path.dropFirst($0.count) : nil } ?? path
        do throws(Fault) {
            let target = try Self.target(of: path)
            var edit = SettingsFileEditor(try Self.read(target))
            for setting in settings { edit.set(setting) }
            let lines = edit.standing(of: settings)
            guard !edit.changed.isEmpty else {
                return .saved("Nothing to save: \(shown) has these settings, or they are the defaults", lines: lines)
            }
            try Self.write(edit.bytes, to: target)
            let words = edit.changed.map { "\($0.name)=\($0.value)" }.joined(separator: ", ")
            return .saved("Saved in \(shown): \(words)", lines: lines)
        } catch {
            return .problems(["Settings not saved in \(shown): \(error.message)"])
        }
    }

    /// The target when the path is a symbolic link, so that the file is replaced and not the link.
    private static func target(of path: String) throws(Fault) -> String {
        if let real = realpath(path.cBytes, nil) {
            defer { free(real) }
            return String(systemC: real)
        }
        var status = stat()
        guard errno == ENOENT else { throw failure() }
        guard lstat(path.cBytes, &status) != 0 else {
            throw Fault(message: "it is a link to a file that does not exist")
        }
        return path
    }

    private static func read(_ path: String) throws(Fault) -> [UInt8] {
        // Without O_NONBLOCK, opening a FIFO would block the dashboard until another process writes to it.
        let descriptor = open(path.cBytes, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else {
            guard errno == ENOENT else { throw failure() }
            return []
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure() }
        guard status.st_mode & S_IFMT == S_IFREG else { throw Fault(message: "it is not a regular file") }
        // Replacing a file needs no write permission for it, but a write-protected file must not be changed.
        guard access(path.cBytes, W_OK) == 0 else { throw failure() }
        guard status.st_size <= largest else { throw Fault(message: "it is larger than 1 MiB") }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size) + 1)
        // Of a regular file one call reads all there is.
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { throw failure() }
        guard count <= Int(status.st_size) else { throw Fault(message: "it is being written by another program") }
        let text = Array(bytes[..<count])
        guard !text.starts(with: [0x1F, 0x8B]) else { throw Fault(message: "it is compressed") }
        return text
    }

    /// Replaces the file atomically: writes a new file beside it and renames that.
    static func write(_ bytes: [UInt8], to path: String) throws(InputFile.Failure) {
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        try make(folder.isEmpty ? "/" : folder)
        var status = stat()
        let isThere = stat(path.cBytes, &status) == 0
        var template = "\(path).XXXXXX".cBytes
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw failure() }
        defer { close(descriptor) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        do throws(Fault) {
            if isThere {
                // The mode after the owner, because fchown may clear mode bits.
                let isOwned = fchown(descriptor, status.st_uid, status.st_gid) == 0 || status.st_uid == geteuid()
                guard isOwned else { throw Fault(message: "it belongs to another user") }
                guard fchmod(descriptor, status.st_mode & 0o7777) == 0 else { throw failure() }
            }
            try write(bytes, descriptor)
            // Where a file system cannot sync (EINVAL), nothing is to be waited for.
            guard fsync(descriptor) == 0 || errno == EINVAL, rename(template, path.cBytes) == 0 else { throw failure() }
        } catch {
            unlink(template)
            throw error
        }
    }

    private static func write(_ bytes: [UInt8], _ descriptor: Int32) throws(Fault) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure() }
            rest = rest.dropFirst(count)
        }
    }

    /// Creates a folder and its missing parents.
    ///
    /// - Source: XDG Base Directory Specification: missing folders are created with mode 0700.
    private static func make(_ folder: String) throws(Fault) {
        if mkdir(folder.cBytes, 0o700) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, let slash = folder.lastIndex(of: "/"), slash > folder.startIndex else { throw failure() }
        try make(String(folder[..<slash]))
        guard mkdir(folder.cBytes, 0o700) == 0 || errno == EEXIST else { throw failure() }
    }

    private static func failure() -> Fault { Fault(message: String(cString: strerror(errno)).lowercased()) }
}

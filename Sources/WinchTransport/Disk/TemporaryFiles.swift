import Glibc
import WinchModel

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

import Glibc
import WinchBatch
import WinchModel
import WinchTransport

/// The settings file and its contents.
struct SettingsFile {
    let path: String
    let lines: NameValueLines
    /// Group or others have a permission for the file. The user is warned if it contains a login as well.
    let isOpenToOthers: Bool

    /// `$XDG_CONFIG_HOME/winch`, else `~/.config/winch`; `nil` when HOME is not set.
    ///
    /// - Source: XDG Base Directory Specification: a relative path in the variable is ignored.
    static func folder(_ environment: [String: String]) -> String? {
        if let base = environment["XDG_CONFIG_HOME"], base.hasPrefix("/") { return base + "/winch" }
        return environment["HOME"].flatMap { $0.isEmpty ? nil : $0 + "/.config/winch" }
    }

    /// - Returns: `nil` when the file does not exist.
    static func read(_ path: String) throws(InputFile.Failure) -> SettingsFile? {
        var status = stat()
        guard stat(path.cBytes, &status) == 0 || errno != ENOENT && errno != ENOTDIR else { return nil }
        let bytes = try InputFile.read(path)
        return SettingsFile(
            path: path, lines: NameValueLines(parsing: bytes), isOpenToOthers: status.st_mode & 0o077 != 0)
    }
}

import Glibc
import WinchCore

/// The file that settings are kept in, and what is read from it.
struct SettingsFile {
    /// Where it is, whether it is there or not.
    let path: String
    let lines: SettingLines
    /// Said to a person when it holds a login and others may read it.
    let isOpenToOthers: Bool

    /// `$XDG_CONFIG_HOME/winch`, else `~/.config/winch`; `nil` without a home.
    ///
    /// - Source: XDG Base Directory Specification: a relative path in the variable counts as none.
    static func folder(_ environment: [String: String]) -> String? {
        if let base = environment["XDG_CONFIG_HOME"], base.hasPrefix("/") { return base + "/winch" }
        return environment["HOME"].flatMap { $0.isEmpty ? nil : $0 + "/.config/winch" }
    }

    /// - Parameter path: need not exist unless a person named it.
    /// - Returns: `nil` when there is no such file.
    static func read(_ path: String) throws(InputFile.Failure) -> SettingsFile? {
        var status = stat()
        guard stat(path, &status) == 0 || errno != ENOENT && errno != ENOTDIR else { return nil }
        let bytes = try InputFile.read(path)
        return SettingsFile(
            path: path, lines: SettingLines(parsing: bytes), isOpenToOthers: status.st_mode & 0o077 != 0)
    }
}

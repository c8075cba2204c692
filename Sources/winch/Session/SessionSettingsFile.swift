import FoundationEssentials
import Glibc
import WinchBatch
import WinchScreen

/// The file of a session's settings that were changed while it ran, such as its rate limit: the next session begins with them, even
/// when the list is empty.
struct SessionSettingsFile: Sendable {
    let path: String

    /// - Parameter folder: the state folder.
    init(folder: String) {
        path = folder + "/session.conf"
    }

    /// - Returns: empty when there is no file.
    func read() -> [NameValueLine] {
        guard let data = FileManager.default.contents(atPath: path) else { return [] }
        return NameValueLines(parsing: Array(data)).lines.map(\.setting)
    }

    /// Replaces the file as a whole: a session that is killed leaves the old settings or the new ones. What cannot be written
    /// counts until the end of this session.
    func write(_ settings: [NameValueLine]) {
        let text = settings.map { "\($0.name)=\($0.value)\n" }.joined()
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
        let new = path + ".new"
        guard FileManager.default.createFile(atPath: new, contents: Data(text.utf8), attributes: attributes) else {
            return
        }
        if rename(new, path) != 0 { unlink(new) }
    }
}

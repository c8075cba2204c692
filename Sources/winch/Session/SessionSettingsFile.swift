import Dispatch
import FoundationEssentials
import Glibc
import WinchBatch
import WinchModel
import WinchScreen
import WinchTransport

/// The file of a session's settings that were changed while it ran, such as its rate limit: the next session begins with them, even
/// when the list is empty.
struct SessionSettingsFile: Sendable {
    let path: String
    /// Has a thread of its own: a home folder may hang, and the engine must not.
    private let writer = DispatchQueue(label: "winch.settings")

    /// - Parameter folder: the state folder.
    init(folder: String) {
        path = folder + "/session.conf"
    }

    /// - Returns: empty when there is no file.
    func read() -> [NameValueLine] {
        guard let bytes = try? InputFile.read(path) else { return [] }
        return NameValueLines(parsing: bytes).lines.map(\.setting)
    }

    /// Writes the file on another thread.
    func writeSoon(_ settings: [NameValueLine]) { writer.async { write(settings) } }

    /// What is still to be written is in the file as well, unless the home folder hangs.
    func finish() {
        let isWritten = DispatchSemaphore(value: 0)
        writer.async { isWritten.signal() }
        _ = isWritten.wait(timeout: .now() + .seconds(2))
    }

    /// Replaces the file as a whole: a session that is killed leaves the old settings or the new ones. What cannot be written
    /// counts until the end of this session.
    func write(_ settings: [NameValueLine]) {
        let text = settings.map { "\($0.name)=\($0.value)\n" }.joined()
        let new = (path + ".new").cBytes
        let descriptor = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return }
        // A short write is one of a full disk: the settings are a few hundred bytes.
        let bytes = text.systemBytes
        let isWritten = Glibc.write(descriptor, bytes, bytes.count) == bytes.count
        guard close(descriptor) == 0, isWritten, rename(new, path.cBytes) == 0 else {
            unlink(new)
            return
        }
    }
}

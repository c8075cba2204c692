import Dispatch
import WinchBatch
import WinchModel
import WinchTransport

/// The file of a session's settings that were changed while it ran, such as its rate limit: the next session begins with them, even
/// when the list is empty.
struct SessionSettingsFile: Sendable {
    let path: String
    /// Has a thread of its own: a home folder may hang, and the engine must not.
    private let writer = DispatchQueue(label: "winch.settings")

    init(folder: String) { path = folder + "/session.conf" }

    func read() -> [NameValueLine] {
        guard let bytes = try? InputFile.read(path) else { return [] }
        return NameValueLines(parsing: bytes).lines.map(\.setting)
    }

    /// Replaces the file as a whole, on another thread: a session that is killed leaves the old settings or the new ones. What
    /// cannot be written counts until the end of this session.
    func writeSoon(_ settings: [NameValueLine]) {
        let text = settings.map { "\($0.name)=\($0.value)\n" }.joined()
        writer.async { [path] in try? SettingsSaver.write(text.systemBytes, to: path) }
    }

    /// What is still to be written is in the file as well, unless the home folder hangs.
    func finish() {
        let isWritten = DispatchSemaphore(value: 0)
        writer.async { isWritten.signal() }
        _ = isWritten.wait(timeout: .now() + .seconds(2))
    }
}

import Glibc
import WinchModel

/// Shows a folder in the user's file manager with `xdg-open`, which runs in the background, its output discarded.
struct FolderOpener {
    /// POSIX_SPAWN_SETSID, which Glibc's module leaves out.
    private static let newSession: Int16 = 0x80

    /// `PATH`; empty when not set.
    private let path: String

    init(path: String = getenv("PATH").map { String(systemC: $0) } ?? "") {
        self.path = path
    }

    /// - Returns: the error message for the user; `nil` if `xdg-open` was started.
    func open(_ folder: String) -> String? {
        guard let program else { return "xdg-open is not installed; the folder is \(folder)" }
        var status = stat()
        guard stat(folder.cBytes, &status) == 0 else { return "\(folder): \(String(cString: strerror(errno)))" }
        return Self.spawn(program, folder).map { "xdg-open: \(String(cString: strerror($0)))" }
    }

    /// The first executable `xdg-open` in `PATH`.
    private var program: String? {
        path.split(separator: ":").map { "\($0)/xdg-open" }.first { access($0.cBytes, X_OK) == 0 }
    }

    /// Starts the program from a shell that puts it in the background and ends, so that init becomes its parent and
    /// reaps it. The path is passed as an argument, not as text of the script.
    ///
    /// - Returns: the error number if the shell could not be started.
    private static func spawn(_ program: String, _ folder: String) -> Int32? {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // In its own session the child does not receive Ctrl-C.
        let flags = OrdinarySignals.give(to: &attributes) | Self.newSession
        posix_spawnattr_setflags(&attributes, flags)

        let script = "\"$1\" \"$2\" </dev/null >/dev/null 2>&1 &"
        let arguments = ["sh", "-c", script, "sh", program, folder.hasPrefix("-") ? "./" + folder : folder]
        var texts = arguments.map { strdup($0.cBytes) } + [nil]
        defer { for text in texts { free(text) } }
        var child = pid_t()
        let code = posix_spawn(&child, "/bin/sh", nil, &attributes, &texts, environ)
        guard code == 0 else { return code }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        return nil
    }
}

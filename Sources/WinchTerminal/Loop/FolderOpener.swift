import Glibc

/// Shows a folder in the person's file manager, by `xdg-open`: on its own, its output nowhere, not waited for.
struct FolderOpener {
    /// POSIX_SPAWN_SETSID, which Glibc's module leaves out.
    private static let newSession: Int16 = 0x80

    /// `PATH`; empty when not set.
    private let path: String

    init(path: String = getenv("PATH").map { String(cString: $0) } ?? "") {
        self.path = path
    }

    /// - Returns: what to tell the person when it cannot be done.
    func open(_ folder: String) -> String? {
        guard let program else { return "xdg-open is not installed; the folder is \(folder)" }
        var status = stat()
        guard stat(folder, &status) == 0 else { return "\(folder): \(String(cString: strerror(errno)))" }
        return Self.spawn(program, folder).map { "xdg-open: \(String(cString: strerror($0)))" }
    }

    /// The first in `PATH` that may be run.
    private var program: String? {
        path.split(separator: ":").map { "\($0)/xdg-open" }.first { access($0, X_OK) == 0 }
    }

    /// A shell starts it in the background and ends, so that init takes it over and nobody has to wait for it. The
    /// path goes as an argument, not as text of the script.
    ///
    /// - Returns: the number of what went wrong.
    private static func spawn(_ program: String, _ folder: String) -> Int32? {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Our signals are blocked, and a child would inherit that; in a session of its own Ctrl-C does not reach it.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Self.newSession)

        let script = "\"$1\" \"$2\" </dev/null >/dev/null 2>&1 &"
        let arguments = ["sh", "-c", script, "sh", program, folder.hasPrefix("-") ? "./" + folder : folder]
        var texts = arguments.map { strdup($0) } + [nil]
        defer { for text in texts { free(text) } }
        var child = pid_t()
        let code = posix_spawn(&child, "/bin/sh", nil, &attributes, &texts, environ)
        guard code == 0 else { return code }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        return nil
    }
}

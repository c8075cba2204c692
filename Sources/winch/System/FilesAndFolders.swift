import Glibc
import WinchModel
import WinchSystem
import WinchTerminal

/// What the system says of a file, or of what a link leads to.
enum FileStatus {
    /// `nil` with `errno`.
    static func of(_ path: String) -> stat? {
        var status = stat()
        return stat(path.cBytes, &status) == 0 ? status : nil
    }

    /// `S_IFREG`, `S_IFDIR` and so on; `nil` when it is not known.
    static func kind(of path: String) -> mode_t? { of(path).map { $0.st_mode & S_IFMT } }
}

enum FolderNames {
    /// - Returns: all but `.` and `..`, in no order; none when the folder cannot be read.
    static func all(in folder: String) -> [String] {
        guard let stream = opendir(folder.cBytes) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(system: $0.prefix { $0 != 0 }) }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}

extension HomeFolders {
    /// `HOME` for the user that runs the program; the user database (passwd) for other users, and when HOME is not set.
    static let system = HomeFolders { user in
        if let user { return getpwnam(user.cBytes).map { String(systemC: $0.pointee.pw_dir) } }
        if let given = getenv("HOME").map({ String(systemC: $0) }), given.hasPrefix("/") { return given }
        return getpwuid(getuid()).map { String(systemC: $0.pointee.pw_dir) }
    }
}

extension ProcessTexts {
    /// The environment with the home folder of `HomeFolders.system` as `HOME`, so that all folders of the user are found below one.
    static var environmentWithHome: [String: String] {
        var values = environment
        values["HOME"] = try? HomeFolders.system.expanded("~")
        return values
    }
}

extension WorkingFolder {
    /// The working folder of the process; when it has been removed, the path that leads to it all the same: nothing can be made
    /// there, and other folders keep their whole paths.
    static func current() -> WorkingFolder { WorkingFolder(CurrentFolder.path ?? "/proc/self/cwd") }
}

extension Places {
    /// Resolves paths with the home folders of the system and the working folder of the process.
    static func current() -> Places { Places(homes: .system, workingFolder: .current()) }
}

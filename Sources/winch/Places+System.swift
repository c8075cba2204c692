import Glibc
import WinchCore

extension HomeFolders {
    /// `HOME`, and the user database for others and where that variable is missing.
    static let system = HomeFolders { user in
        if let user { return getpwnam(user).map { String(cString: $0.pointee.pw_dir) } }
        if let given = getenv("HOME").map({ String(cString: $0) }), given.hasPrefix("/") { return given }
        return getpwuid(getuid()).map { String(cString: $0.pointee.pw_dir) }
    }
}

extension WorkingFolder {
    /// The folder of the process; the root when it was removed meanwhile.
    static func current() -> WorkingFolder {
        guard let path = getcwd(nil, 0) else { return WorkingFolder("/") }
        defer { free(path) }
        return WorkingFolder(String(cString: path))
    }
}

extension Places {
    static func current() -> Places { Places(homes: .system, workingFolder: .current()) }
}

import Glibc
import WinchModel
import WinchSystem

extension HomeFolders {
    /// `HOME` for the user that runs the program; the user database (passwd) for other users, and when HOME is not set.
    static let system = HomeFolders { user in
        if let user { return getpwnam(user.cBytes).map { String(systemC: $0.pointee.pw_dir) } }
        if let given = getenv("HOME").map({ String(systemC: $0) }), given.hasPrefix("/") { return given }
        return getpwuid(getuid()).map { String(systemC: $0.pointee.pw_dir) }
    }
}

extension WorkingFolder {
    /// The working folder of the process; `/` when it has been removed.
    static func current() -> WorkingFolder { WorkingFolder(CurrentFolder.path ?? "/") }
}

extension Places {
    /// Resolves paths with the home folders of the system and the working folder of the process.
    static func current() -> Places { Places(homes: .system, workingFolder: .current()) }
}

/// Resolves a leading `~` or `~user` of a path to a home folder, as shells do.
package struct HomeFolders: Sendable {
    private let find: @Sendable (_ user: String?) -> String?

    /// - Parameter find: returns the absolute home folder of a user, or `nil` if there is none; `user` is `nil` for the user
    ///   that runs the program.
    package init(find: @escaping @Sendable (_ user: String?) -> String?) { self.find = find }

    /// `/home/me/x` for `~/x`, `/home/bob/x` for `~bob/x`; any other path unchanged. A folder with the name `~` must be written
    /// `./~`.
    ///
    /// - Throws: when the user or the home folder does not exist.
    package func expanded(_ path: some StringProtocol) throws(InvalidValue) -> String {
        let path = Substring(path)
        guard path.utf8.first == UInt8(ascii: "~") else { return String(path) }
        let name = path.utf8.dropFirst().prefix { $0 != UInt8(ascii: "/") }
        let user = String(Substring(name))
        guard let home = find(user.isEmpty ? nil : user) else {
            throw InvalidValue(
                user.isEmpty
                    ? "~: the home folder is not known; give the whole path"
                    : "~\(user.prefix(40)): there is no such user; a folder of that name is ./~\(user.prefix(40))")
        }
        let rest = Substring(path.utf8.dropFirst(1 + name.count))
        return home.utf8.last == UInt8(ascii: "/") ? home + rest.drop { $0 == "/" } : home + rest
    }
}

/// Resolves the paths that the user gives: `~`, and the folder that relative paths begin at.
package struct Places: Sendable {
    private let homes: HomeFolders
    private let workingFolder: WorkingFolder?

    /// - Parameter workingFolder: `nil`: folders are not brought into normal form.
    package init(homes: HomeFolders = HomeFolders { _ in nil }, workingFolder: WorkingFolder? = nil) {
        (self.homes, self.workingFolder) = (homes, workingFolder)
    }

    /// Resolves the path of a folder and brings it into normal form, so that different spellings of one folder are equal.
    ///
    /// - Throws: when a `~` cannot be resolved.
    package func folder(_ text: some StringProtocol) throws(InvalidValue) -> String {
        let path = try homes.expanded(text)
        return workingFolder?.relative(path) ?? path
    }

    /// Resolves a leading `~` in the path of a file.
    ///
    /// - Throws: when it cannot be resolved.
    package func file(_ text: some StringProtocol) throws(InvalidValue) -> String { try homes.expanded(text) }

    /// Reads the command of a hook. A program with a slash gets its absolute path, because the transfer may be resumed by a
    /// process with another working folder; any other is looked for in `PATH` when the command is run.
    package func hook(_ text: some StringProtocol) throws(InvalidValue) -> HookCommand {
        var command = try HookCommand(reading: text)
        let program = try homes.expanded(command.arguments[0])
        let isPath = program.utf8.contains(UInt8(ascii: "/"))
        command.arguments[0] = isPath ? workingFolder?.absolute(program) ?? program : program
        return command
    }
}

extension String {
    /// The last part of a path, without the slashes around it; `nil` when it has none.
    package var lastPathPart: String? {
        // Split into bytes, not characters: for the file system a slash with a combining accent is still a slash.
        utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) }
    }
}

/// The folder that relative paths begin at. Makes paths absolute for the ledger, and short for the user.
///
/// All paths get their normal form here, so that different spellings of one folder are equal everywhere.
package struct WorkingFolder: Hashable, Sendable {
    /// Absolute and in normal form, except that the root folder is an empty text.
    private let path: String

    /// - Parameter path: absolute.
    package init(_ path: String) { self.path = Self.normal(path) }

    /// The absolute path, without `.`, double slashes and a slash at the end.
    ///
    /// Symbolic links and `..` are kept, because `link/..` need not be the folder that contains `link`.
    ///
    /// - Parameter path: of a folder or a file: `.`, `sub`, `./sub//x/`, `/absolute`.
    package func absolute(_ path: String) -> String {
        let whole = path.utf8.first == UInt8(ascii: "/") ? Self.normal(path) : self.path + Self.normal(path)
        return whole.isEmpty ? "/" : whole
    }

    /// The path as the user would write it in this folder: `.` for the folder itself, `sub` for a folder in it, else the
    /// absolute path.
    package func relative(_ folder: String) -> String {
        let whole = absolute(folder)
        if whole == absolute(".") { return "." }
        guard whole.utf8.starts(with: (path + "/").utf8) else { return whole }
        return String(Substring(whole.utf8.dropFirst(path.utf8.count + 1)))
    }

    /// `/sub/x` for `sub//x`, `./sub/./x` and `/sub/x/`; empty when the path has no parts.
    private static func normal(_ path: String) -> String {
        let isAbsolute = path.utf8.first == UInt8(ascii: "/")
        if path.isEmpty || isNormal(path, isAbsolute) { return isAbsolute ? path : path.isEmpty ? "" : "/" + path }
        // Split into bytes, not characters: for the file system a slash with a combining accent is still a slash.
        return path.utf8.split(separator: UInt8(ascii: "/")).lazy.filter { !$0.elementsEqual(".".utf8) }
            .map { "/" + String(Substring($0)) }.joined()
    }

    /// No part of the path is empty or begins with a dot, as in nearly all paths; false says nothing.
    private static func isNormal(_ path: String, _ isAbsolute: Bool) -> Bool {
        let (slash, dot) = (UInt8(ascii: "/"), UInt8(ascii: "."))
        var last = isAbsolute ? 0 : slash
        for byte in path.utf8 {
            if last == slash, byte == slash || byte == dot { return false }
            last = byte
        }
        return last != slash
    }
}

/// Makes a path as the user typed it absolute.
///
/// - Throws: when a home folder it begins with (`~`, `~user`) is not known.
package typealias PathResolver = @Sendable (String) throws(InvalidValue) -> String

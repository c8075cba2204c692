/// The folder that relative paths begin at. Makes paths absolute for the ledger, and short for the user.
///
/// All paths get their normal form here, so that different spellings of one folder are equal everywhere.
package struct WorkingFolder: Hashable, Sendable {
    /// Absolute and in normal form, except that the root folder is an empty text.
    private let path: String

    /// - Parameter path: absolute.
    package init(_ path: String) {
        self.path = Self.normal(path)
    }

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

/// The folder that relative paths begin at: makes paths absolute for other runs, and short for the user.
///
/// The one place where paths get their normal form, so that two spellings of a folder are the same folder everywhere.
public struct WorkingFolder: Hashable, Sendable {
    /// Absolute and normal, except that the root is empty.
    private let path: String

    /// - Parameter path: absolute.
    public init(_ path: String) {
        self.path = Self.normal(path)
    }

    /// The same place from every working folder, without `.`, doubled slashes and a closing slash.
    ///
    /// Symbolic links and `..` stay: `link/..` is not where `link` is.
    ///
    /// - Parameter path: of a folder or a file: `.`, `sub`, `./sub//x/`, `/absolute`.
    public func absolute(_ path: String) -> String {
        let whole = path.utf8.first == UInt8(ascii: "/") ? Self.normal(path) : self.path + Self.normal(path)
        return whole.isEmpty ? "/" : whole
    }

    /// As the user would write it in this folder: `.` and `sub` for what is here and below, else the whole path.
    public func relative(_ folder: String) -> String {
        let whole = absolute(folder)
        if whole == absolute(".") { return "." }
        guard whole.utf8.starts(with: (path + "/").utf8) else { return whole }
        return String(Substring(whole.utf8.dropFirst(path.utf8.count + 1)))
    }

    /// `/sub/x` for `sub//x`, `./sub/./x` and `/sub/x/`; empty for no part at all.
    private static func normal(_ path: String) -> String {
        // Split at the byte: for the file system a slash with a combining accent is a slash.
        path.utf8.split(separator: UInt8(ascii: "/")).lazy.filter { !$0.elementsEqual(".".utf8) }
            .map { "/" + String(Substring($0)) }.joined()
    }
}

/// The folder that relative paths begin at, to make them last beyond the process and short for a person.
public struct WorkingFolder: Hashable, Sendable {
    /// Absolute, without a slash at its end; empty for the root.
    private let path: String

    /// - Parameter path: absolute.
    public init(_ path: String) {
        self.path = Self.withoutSlashes(path)
    }

    /// The same folder from wherever one stands. Links are not followed, nor `..` taken back: what was given may have
    /// been meant that way.
    ///
    /// - Parameter folder: `.`, `sub`, `./sub/`, `/absolute`.
    public func absolute(_ folder: String) -> String {
        if folder.utf8.first == UInt8(ascii: "/") { return Self.nonempty(Self.withoutSlashes(folder)) }
        let parts = folder.utf8.split(separator: UInt8(ascii: "/")).filter { !$0.elementsEqual(".".utf8) }
        guard !parts.isEmpty else { return Self.nonempty(path) }
        return path + "/" + parts.map { String(Substring($0)) }.joined(separator: "/")
    }

    /// As a person who stands here would write it: `.` and `sub` for what is here and below, else the whole path.
    public func relative(_ folder: String) -> String {
        let whole = absolute(folder)
        if whole == Self.nonempty(path) { return "." }
        guard whole.utf8.starts(with: (path + "/").utf8) else { return whole }
        return String(Substring(whole.utf8.dropFirst(path.utf8.count + 1)))
    }

    private static func withoutSlashes(_ path: String) -> String {
        var bytes = path.utf8[...]
        while bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
        return String(Substring(bytes))
    }

    private static func nonempty(_ path: String) -> String { path.isEmpty ? "/" : path }
}

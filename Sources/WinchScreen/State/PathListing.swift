/// What a file system has for a path that is being typed.
public struct PathListing: Hashable, Sendable {
    /// The path as it was typed; the answer is for no other.
    public var typed: String
    /// The names that continue it, as `EscapedName` shows them, folders with a `/` at their end; sorted. The first
    /// `most` of them.
    public var names: [String]
    /// Of all names: what they have in common at their start.
    public var common: String
    /// Why there is none: the folder cannot be read.
    public var fault: String?

    /// More than can be gone through by Tab.
    public static let most = 200

    public init(typed: String, names: [String] = [], common: String = "", fault: String? = nil) {
        (self.typed, self.names, self.common, self.fault) = (typed, names, common, fault)
    }

    /// The folder of a path as it is typed, with the last `/`; empty for one without.
    public static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    }
}

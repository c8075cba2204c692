/// The names in the file system that complete a path being typed.
package struct PathListing: Hashable, Sendable {
    /// The path as it was typed when the listing was requested.
    package var typed: String
    /// The names that complete the last part of the path, escaped by `EscapedName`, folders with a `/` at their end;
    /// sorted, at most `most`.
    package var names: [String]
    /// The common prefix of all names that complete the path, also of those beyond `most`.
    package var common: String
    /// Why there are no names, such as that the folder cannot be read; `nil`: no error.
    package var fault: String?

    /// 200 names: more than a user cycles through by Tab.
    package static let most = 200

    package init(typed: String, names: [String] = [], common: String = "", fault: String? = nil) {
        (self.typed, self.names, self.common, self.fault) = (typed, names, common, fault)
    }

    /// The folder of a typed path, up to and with the last `/`; empty if there is none.
    package static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    }
}

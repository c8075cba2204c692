/// The home folders that a leading `~` stands for, as shells read it.
public struct HomeFolders: Sendable {
    private let find: @Sendable (_ user: String?) -> String?

    /// - Parameter find: the absolute home folder of a user, `nil` for the one who runs the program.
    public init(find: @escaping @Sendable (_ user: String?) -> String?) {
        self.find = find
    }

    /// `/home/me/x` for `~/x`, `/home/bob/x` for `~bob/x`; any other path as it is. A folder that is named `~` is `./~`.
    ///
    /// - Throws: when there is no such user or home.
    public func expanded(_ path: some StringProtocol) throws(ValueFault) -> String {
        let path = Substring(path)
        guard path.utf8.first == UInt8(ascii: "~") else { return String(path) }
        let name = path.utf8.dropFirst().prefix { $0 != UInt8(ascii: "/") }
        let user = String(Substring(name))
        guard let home = find(user.isEmpty ? nil : user) else {
            throw ValueFault(
                user.isEmpty
                    ? "~: the home folder is not known; give the whole path"
                    : "~\(user.prefix(40)): there is no such user; a folder of that name is ./~\(user.prefix(40))")
        }
        let rest = Substring(path.utf8.dropFirst(1 + name.count))
        return home.utf8.last == UInt8(ascii: "/") ? home + rest.drop { $0 == "/" } : home + rest
    }
}

/// How paths that a user gives are read: where `~` leads, and what relative ones begin at.
public struct Places: Sendable {
    private let homes: HomeFolders
    private let workingFolder: WorkingFolder?

    /// - Parameter workingFolder: `nil`: folders stay as they are given.
    public init(homes: HomeFolders = HomeFolders { _ in nil }, workingFolder: WorkingFolder? = nil) {
        (self.homes, self.workingFolder) = (homes, workingFolder)
    }

    /// A folder in its normal form: two spellings of the same one become equal.
    public func folder(_ text: some StringProtocol) throws(ValueFault) -> String {
        let path = try homes.expanded(text)
        return workingFolder?.relative(path) ?? path
    }

    public func file(_ text: some StringProtocol) throws(ValueFault) -> String { try homes.expanded(text) }
}

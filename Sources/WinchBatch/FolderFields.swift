package import WinchModel

/// The options of a folder that is downloaded whole, of a batch entry or of the command line, as far as they were given.
package struct FolderFields: Hashable, Sendable {
    /// `nil`: not said, so the URL is a file.
    package var isRecursive: Bool?
    /// As in `FolderRules`.
    package var depth: Int?
    /// As in `FolderRules`.
    package var mostFiles: Int?
    /// In the order in which they were given.
    package var globs: [GlobRule] = []

    package init() {}

    /// Of an entry, with those of the command line for what it does not say. Its own rules come last, so that they decide.
    package func completed(by others: FolderFields) -> FolderFields {
        var fields = self
        fields.depth = depth ?? others.depth
        fields.mostFiles = mostFiles ?? others.mostFiles
        fields.globs = others.globs + globs
        return fields
    }

    /// An option that says something of a folder, though none is downloaded; `nil`: there is none.
    package var optionWithoutFolder: String? {
        guard isRecursive != true else { return nil }
        if depth != nil { return "depth" }
        if let rule = globs.first { return rule.includes ? "include" : "exclude" }
        return mostFiles == nil ? nil : "max-files"
    }

    /// The transfer that lists a folder and adds what is in it.
    ///
    /// - Parameters:
    ///   - given: the entry as if its URL were a file. Its name is that of the folder; without one the last part of the URL's path
    ///     is, or else the host.
    ///   - tree: names the tree; random.
    /// - Throws: why these options do not go with the rest of the entry.
    package func listing(_ given: TransferSpec, tree: UInt64) throws(InvalidValue) -> TransferSpec {
        guard let url = given.urls.first, given.urls.count == 1 else {
            throw InvalidValue("a folder has one URL; give each its own entry")
        }
        guard given.settings.value.checksum == nil else {
            throw InvalidValue("a checksum is that of one file; --sums names those of many")
        }
        let start = try Self.start(url)
        var rules = FolderRules(tree: tree, start: start)
        (rules.globs, rules.depth, rules.mostFiles) = (globs, depth, mostFiles)
        let name = given.name?.text ?? TargetName(folder: start).text
        let folder =
            given.folder == "." ? name : given.folder + (given.folder.utf8.last == UInt8(ascii: "/") ? "" : "/") + name
        var spec = TransferSpec(
            urls: [start], folder: folder,
            settings: Self.settings(given.settings, for: url).keepingLogin(at: CollectionOfOne(start)),
            startsPaused: given.startsPaused)
        spec.folderOrder = FolderOrder(rules: Shared(rules))
        spec.namedParts = 1
        return spec
    }

    /// The URL with a slash at its end and without a login, which would be repeated in each URL below it.
    private static func start(_ url: TransferURL) throws(InvalidValue) -> TransferURL {
        let plain = url.redacted
        guard !plain.utf8.contains(UInt8(ascii: "?")) else {
            throw InvalidValue("a folder's URL has no query (?...): \(TransferURL.shown(plain))")
        }
        guard !url.scheme.isFTP || !url.lastPathComponent.lowercased().contains(";type=") else {
            throw InvalidValue("a folder's URL has no ;type=: \(TransferURL.shown(plain))")
        }
        let text = url.pathText.utf8.last == UInt8(ascii: "/") ? plain : plain + "/"
        return (try? TransferURL(text)) ?? url
    }

    /// The settings with the login of the URL, which counts more than theirs.
    private static func settings(_ settings: Shared<TransferSettings>, for url: TransferURL) -> Shared<TransferSettings>
    {
        guard let login = url.login else { return settings }
        var own = settings.value
        (own.user, own.password) = (login.user, login.password ?? own.password)
        return Shared(own)
    }
}

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

/// The upload options of a batch entry or of the command line, as far as they were given.
package struct UploadFields: Hashable, Sendable {
    /// The file; `-` is standard input.
    package var file: String?
    package var method: UploadOrder.Method?
    package var form: [FormField] = []
    package var httpProtocol = HTTPUploadProtocol.plain
    /// `nil`: not said.
    package var createsFolders: Bool?
    package var contentType: String?
    /// `nil`: not said.
    package var usesTemporaryName: Bool?

    package init() {}

    /// Of an entry, with those of the command line for what it does not say; an entry that downloads has none.
    ///
    /// - Parameter url: of the entry.
    package func completed(by others: UploadFields, for url: TransferURL) -> UploadFields {
        guard !isEmpty else { return self }
        var fields = self
        fields.createsFolders = createsFolders ?? others.createsFolders
        fields.contentType = contentType ?? others.contentType
        if !url.scheme.isHTTP { fields.usesTemporaryName = usesTemporaryName ?? others.usesTemporaryName }
        if form.isEmpty {
            fields.method = method ?? others.method
            if httpProtocol == .plain, url.scheme.isHTTP { fields.httpProtocol = others.httpProtocol }
        }
        return fields
    }

    package var isEmpty: Bool { file == nil && form.isEmpty }

    /// What is wrong with the options together, to go with `url`.
    package enum Fault: Error, Hashable {
        case fileAndForm
        case formIsPosted
        case formOverHTTP
        case overHTTP(HTTPUploadProtocol)
        case temporaryNameOverHTTP
        case ofForm(HTTPUploadProtocol)
        case noFile(option: String)
        case ofDownload(option: String)
        case folderWithoutName
        case mirrors

        package var message: String {
            switch self {
            case .fileAndForm: "upload and form exclude each other: a file is sent as it is, or as a field of a form"
            case .formIsPosted: "a form is sent by POST"
            case .formOverHTTP: "a form can be sent to http and https only"
            case .overHTTP(let way): "\(way.rawValue) is a protocol over http and https"
            case .temporaryNameOverHTTP:
                "no-temporary-name is about ftp, ftps and sftp; http has no temporary names"
            case .ofForm(let way): "\(way.rawValue) sends one file, not a form"
            case .noFile(let option): "\(option) is about an upload; name the file with upload="
            case .ofDownload(let option):
                "\(option) is about a download; an upload sends its file as it is, to the name in the URL"
            case .folderWithoutName: "the URL ends in /, and what is sent has no name; add a name to the URL"
            case .mirrors: "an upload has one URL; give each its own entry"
            }
        }
    }

    /// - Parameter urls: of the entry; at least one.
    /// - Returns: what is uploaded and where to; `nil`: nothing.
    package func order(for urls: [TransferURL]) throws(Fault) -> (order: UploadOrder, url: TransferURL)? {
        guard !isEmpty else {
            if method != nil { throw .noFile(option: "method") }
            if httpProtocol != .plain { throw .noFile(option: "resumable") }
            if createsFolders == true { throw .noFile(option: "create-dirs") }
            if contentType != nil { throw .noFile(option: "content-type") }
            if usesTemporaryName == false { throw .noFile(option: "no-temporary-name") }
            return nil
        }
        guard let first = urls.first, urls.count == 1 else { throw .mirrors }
        let isHTTP = first.scheme.isHTTP
        if file != nil, !form.isEmpty { throw .fileAndForm }
        if !form.isEmpty {
            guard isHTTP else { throw .formOverHTTP }
            guard method != .put else { throw .formIsPosted }
            guard httpProtocol == .plain else { throw .ofForm(httpProtocol) }
        }
        guard isHTTP || httpProtocol == .plain else { throw .overHTTP(httpProtocol) }
        guard !isHTTP || usesTemporaryName != false else { throw .temporaryNameOverHTTP }
        let content: UploadOrder.Content =
            if let file { file == "-" ? .standardInput : .file(file) } else { .form(form) }
        var order = UploadOrder(content, method: method ?? (form.isEmpty ? .put : .post))
        order.httpProtocol = httpProtocol
        order.createsFolders = createsFolders ?? false
        order.contentType = contentType
        order.usesTemporaryName = usesTemporaryName ?? true
        guard let target = order.target(first) else { throw .folderWithoutName }
        return (order, target)
    }
}

package import WinchModel

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

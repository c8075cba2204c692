import Synchronization

/// What an upload sends, and how.
package struct UploadOrder: Hashable, Sendable, Codable {
    /// Where the body comes from.
    package enum Content: Hashable, Sendable, Codable {
        /// A local file, or a FIFO. A relative path begins at the working folder of the process.
        case file(String)
        /// A local folder without entries, which is made at the server. What is neither a file nor a folder stands here
        /// too: its upload fails with the reason. A relative path begins at the working folder of the process.
        case folder(String)
        /// The standard input of the process.
        case standardInput
        /// A form, sent as multipart/form-data.
        case form([FormField])
        /// Bytes or a stream of a program that uses the library.
        case open(OpenSource)
    }

    /// The HTTP method. FTP and SFTP have none.
    package enum Method: String, Hashable, Sendable, Codable, CaseIterable {
        case put = "PUT"
        case post = "POST"
    }

    package var content: Content
    package var method: Method
    package var httpProtocol: HTTPUploadProtocol {
        get { isTus ? .tus : .plain }
        set { isTus = newValue == .tus }
    }
    /// As the ledger and sessions know the protocol.
    private var isTus = false
    /// Missing folders at the server are created: WebDAV, FTP and SFTP.
    package var createsFolders = false
    /// The header field `Content-Type`; `nil`: by the file's extension.
    package var contentType: String?
    /// FTP and SFTP: sent under a temporary name, which is changed once all is there.
    package var usesTemporaryName = true
    /// So many of the last parts of the path were found by listing folders without following links: a link that has replaced
    /// one of them since is not followed either. `nil`: the path is the user's own.
    package var listedParts: Int?

    package init(_ content: Content, method: Method = .put) { (self.content, self.method) = (content, method) }

    /// A second request might have an effect that the first one had already.
    package var isSentOnce: Bool { method == .post && httpProtocol == .plain }

    /// The file that is sent; `nil`: there is none, or a form may have several.
    package var file: String? { if case .file(let path) = content { path } else { nil } }

    /// The folder that is made; `nil`: something is sent.
    package var folder: String? { if case .folder(let path) = content { path } else { nil } }

    /// The name of the row; `nil`: that of the URL.
    package var name: String? {
        let path: String? =
            switch content {
            case .file(let path), .folder(let path): path
            case .form(let fields): fields.lazy.compactMap(\.file).first
            case .open(let source): source.name
            case .standardInput: nil
            }
        return path?.lastPathPart
    }

    /// The URL that the body goes to: a URL that ends in `/` names a folder, and the name is added to it.
    ///
    /// - Returns: `nil`: the URL names a folder, and there is no name.
    package func target(_ url: TransferURL) -> TransferURL? {
        guard folder == nil, url.namesFolder, replacesFile(at: url) else { return url }
        return name.flatMap(url.file)
    }

    /// What is sent becomes the file at the URL. POST and tus give the URL of a service that takes any number of uploads.
    package func replacesFile(at url: TransferURL) -> Bool {
        !(url.scheme.isHTTP && (httpProtocol != .plain || method == .post))
    }

    /// What is sent, for messages.
    package var sourceWords: String {
        if case .standardInput = content { "standard input" } else { file ?? folder ?? name ?? "a form" }
    }

    /// Why this upload and another one cannot both go to the URL, whose file the second would replace; for the user.
    package func clash(with other: UploadOrder, at url: TransferURL) -> String {
        "\(sourceWords) and \(other.sourceWords) both go to \(TransferURL.withoutSecrets(url.redacted)); "
            + "give each a URL of its own"
    }
}

/// How a body is sent over HTTP, by the word of `--resumable`, and all that is particular to it outside its own dialogue.
package enum HTTPUploadProtocol: String, Hashable, Sendable, CaseIterable {
    /// tus 1.0, which resumes uploads.
    case tus
    /// One request has the whole body.
    case plain = "no"

    /// What its requests are for.
    package var use: HTTPStatus.Use { self == .tus ? .tus : .upload }

    /// The header lines of a DELETE that removes what is at the server; `nil`: an unfinished upload leaves nothing there.
    package var removalHeaders: [String]? { self == .tus ? ["Tus-Resumable: 1.0.0"] : nil }
}

/// One field of a form.
package struct FormField: Sendable, Codable {
    package enum Value: Hashable, Sendable, Codable {
        case text(String)
        /// - Parameters:
        ///   - path: of a local file.
        ///   - name: the file name that the server is told; `nil`: that of the file.
        ///   - type: its media type; `nil`: by its extension.
        case file(path: String, name: String? = nil, type: String? = nil)
    }

    package var name: String
    package var value: Value

    package init(name: String, value: Value) { (self.name, self.value) = (name, value) }

    /// The file that is sent; `nil`: the value is a text.
    package var file: String? { if case .file(let path, _, _) = value { path } else { nil } }

    /// Reads `NAME=VALUE`, or `NAME=@PATH` for a file. As in curl `;type=` and `;filename=` may follow the path.
    ///
    /// - Returns: `nil` without a name.
    package init?(_ text: some StringProtocol) {
        guard let equals = text.firstIndex(of: "="), equals > text.startIndex else { return nil }
        name = String(text[..<equals])
        let value = text[text.index(after: equals)...]
        guard value.first == "@" else {
            self.value = .text(String(value))
            return
        }
        var path = value.dropFirst()
        var (fileName, type): (String?, String?) = (nil, nil)
        while let mark = path.lastIndex(of: ";") {
            let option = path[path.index(after: mark)...]
            if option.hasPrefix("type=") {
                type = String(option.dropFirst(5))
            } else if option.hasPrefix("filename=") {
                fileName = String(option.dropFirst(9))
            } else {
                break
            }
            path = path[..<mark]
        }
        guard !path.isEmpty else { return nil }
        self.value = .file(path: String(path), name: fileName, type: type)
    }
}

extension FormField: Hashable {
    private var parts: [ExactText?] {
        switch value {
        case .text(let text): [ExactText(name), ExactText(text)]
        case .file(let path, let name, let type):
            [ExactText(self.name), ExactText(path), name.map { ExactText($0) }, type.map { ExactText($0) }]
        }
    }

    package static func == (left: FormField, right: FormField) -> Bool { left.parts == right.parts }

    package func hash(into hasher: inout Hasher) { hasher.combine(parts) }
}

/// An open file or pipe that a program which uses the library has given. Equal to itself only; not stored in the ledger.
package final class OpenSource: Sendable {
    /// The file's descriptor, which the owner of this object closes.
    package let descriptor: Int32
    /// For the row.
    package let name: String
    private let whenFreed: @Sendable () -> Void
    private let fault = Mutex<String?>(nil)

    /// - Parameter whenFreed: closes the descriptor.
    package init(descriptor: Int32, name: String, whenFreed: @escaping @Sendable () -> Void) {
        (self.descriptor, self.name, self.whenFreed) = (descriptor, name, whenFreed)
    }

    deinit { whenFreed() }

    /// The bytes do not make the whole, although they end.
    package func fail(_ reason: String) { fault.withLock { $0 = reason } }

    /// Why the bytes do not make the whole; `nil`: they do.
    package var failure: String? { fault.withLock(\.self) }
}

extension OpenSource: Hashable {
    package static func == (left: OpenSource, right: OpenSource) -> Bool { left === right }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension OpenSource: Codable {
    /// A later run has nothing to send.
    package convenience init(from decoder: any Decoder) throws {
        self.init(descriptor: -1, name: try decoder.singleValueContainer().decode(String.self)) {}
    }

    package func encode(to encoder: any Encoder) throws { try name.encode(to: encoder) }
}

import WinchModel

extension LedgerEntry {
    /// The form that is stored: absolute folders, and no logins once the transfer is finished.
    ///
    /// - Parameter settings: the kept form of `spec.settings`.
    func kept(in identity: RunIdentity) -> LedgerEntry {
        var entry = self
        entry.spec.folder = identity.absolute(spec.folder)
        if let upload = spec.upload { entry.spec.upload = upload.kept(in: identity) }
        if standing.isFinished, spec.urls.contains(where: \.mayHaveLogin) {
            entry.spec.urls = MirrorList(spec.urls.map(\.withoutLogin))
        }
        return entry
    }
}

extension TransferSettings {
    /// The form that is stored: absolute paths.
    ///
    /// - Parameter isFinished: drops what only a further request needs and other users must not see, such as passwords.
    func kept(in identity: RunIdentity, isFinished: Bool) -> TransferSettings {
        var settings = self
        settings.cookieFile = cookieFile.map(identity.absolute)
        settings.caFile = caFile.map(identity.absolute)
        settings.certificateFile = certificateFile.map(identity.absolute)
        settings.keyFile = keyFile.map { $0.hasPrefix("~/") ? $0 : identity.absolute($0) }
        guard isFinished else { return settings }
        settings.user = nil
        settings.password = nil
        // Any header may be a credential: Authorization, Cookie, X-Api-Key and the like.
        settings.headers = []
        settings.referer = referer.map(Self.withoutLogin)
        settings.proxy = proxy.map(Self.withoutLogin)
        return settings
    }

    /// A proxy may have any scheme or none: the part before the last `@` of its authority is removed.
    private static func withoutLogin(_ address: String) -> String {
        let bytes = address.utf8
        let slashes = bytes.firstRange(of: "://".utf8)
        let start = slashes?.upperBound ?? bytes.startIndex
        let end = bytes[start...].firstIndex { "/?#".utf8.contains($0) } ?? bytes.endIndex
        guard let at = bytes[start..<end].lastIndex(of: UInt8(ascii: "@")) else { return address }
        return String(address[..<start]) + address[bytes.index(after: at)...]
    }
}

extension TransferURL {
    fileprivate var mayHaveLogin: Bool { text.utf8.contains(UInt8(ascii: "@")) }

    /// Itself when the redacted text is not a URL, which only a missing login could cause.
    fileprivate var withoutLogin: TransferURL {
        mayHaveLogin ? (try? TransferURL(redacted)) ?? self : self
    }
}

extension UploadOrder {
    /// The form that is stored: absolute paths.
    fileprivate func kept(in identity: RunIdentity) -> UploadOrder {
        var order = self
        switch content {
        case .file(let path): order.content = .file(identity.absolute(path))
        case .form(let fields):
            order.content = .form(
                fields.map { field in
                    guard case .file(let path, let name, let type) = field.value else { return field }
                    return FormField(
                        name: field.name, value: .file(path: identity.absolute(path), name: name, type: type))
                })
        case .standardInput, .open: break
        }
        return order
    }
}

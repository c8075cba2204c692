import WinchCore

extension LedgerEntry {
    /// As the file has it: folders absolute, and no login of what is finished.
    ///
    /// - Parameter settings: the kept form of `spec.settings`.
    func kept(in surroundings: Surroundings) -> LedgerEntry {
        var entry = self
        entry.spec.folder = surroundings.absolute(spec.folder)
        if standing.isFinished { entry.spec.urls = MirrorList(spec.urls.map(\.withoutLogin)) }
        return entry
    }
}

extension TransferSettings {
    /// As the file has them: files absolute.
    ///
    /// - Parameter isFinished: without what only a further request would need and nobody else may see.
    func kept(in surroundings: Surroundings, isFinished: Bool) -> TransferSettings {
        var settings = self
        settings.cookieFile = cookieFile.map(surroundings.absolute)
        settings.caFile = caFile.map(surroundings.absolute)
        settings.keyFile = keyFile.map { $0.hasPrefix("~/") ? $0 : surroundings.absolute($0) }
        guard isFinished else { return settings }
        settings.user = nil
        settings.password = nil
        // Any of them may be a key: Authorization, Cookie, X-Api-Key and what servers invent.
        settings.headers = []
        settings.referer = referer.map(Self.withoutLogin)
        settings.proxy = proxy.map(Self.withoutLogin)
        return settings
    }

    /// A proxy may be of any scheme or none: what is before the last `@` of its host goes.
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
    /// Itself when it has none: nothing else could make it unfit.
    fileprivate var withoutLogin: TransferURL { (try? TransferURL(redacted)) ?? self }
}

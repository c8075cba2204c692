extension TransferURL {
    /// The path ends in `/`, or there is none.
    package var namesFolder: Bool { lastPathComponent.isEmpty }

    /// The URL of the file with this name in the folder that the URL names. A query stays behind the path.
    ///
    /// - Returns: `nil` when the URL would be too long.
    package func file(named name: some StringProtocol) -> TransferURL? {
        let path = text.utf8.prefix { $0 != UInt8(ascii: "?") }
        let query = Substring(text.utf8[path.endIndex...])
        let slash = path.last == UInt8(ascii: "/") ? "" : "/"
        return try? TransferURL(String(Substring(path)) + slash + PercentCoding.encoded(name) + query)
    }

    /// The URL of the folder that the file is in, which ends in `/`; `nil`: it is the top folder.
    package var folder: TransferURL? {
        let bytes = text.utf8
        guard let colon = bytes.firstRange(of: "://".utf8) else { return nil }
        let path = bytes[colon.upperBound...].prefix { $0 != UInt8(ascii: "?") }
        let named = path.last == UInt8(ascii: "/") ? path.dropLast() : path
        guard let slash = named.lastIndex(of: UInt8(ascii: "/")) else { return nil }
        return TransferURL(checked: String(text[...slash]))
    }
}

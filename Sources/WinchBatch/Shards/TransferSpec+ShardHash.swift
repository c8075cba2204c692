package import WinchModel

extension TransferSpec {
    /// Of what the entry asks for, as its text says it: no absolute path and no home folder is part of it, because the list is
    /// read on several machines. Entries that `DuplicateFilter` takes for the same have the same hash.
    ///
    /// `ShardHash` over the first URL in normal form and without its login, then `out=`, or an empty text. Of an upload also
    /// the last part of the file's path; of a form the name and the value of each field, of a file the last part of its path.
    package var shardHash: UInt64 {
        var hash = ShardHash()
        hash.combine(urls.first.map { TransferURL.redacted($0.normal) } ?? "")
        hash.combine(name?.text ?? "")
        switch upload?.content {
        case .file(let path): hash.combine(Self.lastPart(of: path))
        case .form(let fields):
            for field in fields {
                hash.combine(field.name)
                switch field.value {
                case .text(let text): hash.combine(text)
                case .file(let path, _, _): hash.combine(Self.lastPart(of: path))
                }
            }
        case .standardInput, .open, nil: break
        }
        return hash.value
    }

    private static func lastPart(of path: String) -> String {
        path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? ""
    }
}

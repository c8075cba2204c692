import WinchModel

/// The lines of an SFTP server about the files of a folder, which look like those of `ls -l`.
///
/// - Source: draft-ietf-secsh-filexfer-02, section 7: the recommended form of `longname`.
enum SFTPListing {
    struct Entry: Equatable {
        var isFolder: Bool
        var permissions: UInt16
    }

    /// 1 MiB, in bytes: some 15,000 files. In a longer listing the file may not be found.
    static let longest = 1 << 20

    /// The words before the name: mode, links, user, group, size, month, day, time or year.
    private static let words = 8

    /// - Returns: `nil`: not listed, or a line of another form.
    static func entry(named name: String, in listing: [UInt8]) -> Entry? {
        let name = name.systemBytes
        for line in listing.split(separator: UInt8(ascii: "\n")) where line.reversed().starts(with: name.reversed()) {
            var rest = line[...]
            for _ in 0..<words { rest = rest.drop { $0 == space }.drop { $0 != space } }
            if rest.dropFirst().elementsEqual(name) { return Entry(mode: line.prefix(10)) }
        }
        return nil
    }

    private static let space = UInt8(ascii: " ")
}

extension SFTPListing.Entry {
    fileprivate init?(mode: ArraySlice<UInt8>) {
        guard let kind = mode.first, mode.count == 10 else { return nil }
        isFolder = kind == UInt8(ascii: "d")
        permissions = 0
        for letter in mode.dropFirst() {
            // `S` and `T` say that a special bit is set and the right to execute is not.
            permissions = permissions << 1 | ("-ST".utf8.contains(letter) ? 0 : 1)
        }
    }
}

/// Whether an answer can be the file that was asked for, as far as its type tells.
///
/// A site whose session has run out answers a request for `disk.iso` with a page to log in, and says 200.
public enum ExpectedType {
    /// Extensions of files that no server sends as a page, in lower case.
    private static let binary: Set<String> = [
        "7z", "aac", "apk", "appimage", "avi", "bin", "bz2", "cab", "crate", "deb", "dmg", "doc", "docx", "epub", "exe",
        "flac", "gem", "gif", "gpg", "gz", "heic", "img", "iso", "jar", "jpeg", "jpg", "lz4", "m4a", "m4v", "mkv",
        "mov",
        "mp3", "mp4", "mpg", "msi", "odt", "ogg", "ogv", "opus", "parquet", "pdf", "pkg", "png", "ppt", "pptx", "qcow2",
        "rar", "rpm", "safetensors", "sqlite", "tar", "tbz", "tgz", "tiff", "torrent", "ttf", "txz", "vdi", "vmdk",
        "wasm", "wav", "webm", "webp", "whl", "woff", "woff2", "xls", "xlsx", "xz", "zip", "zst",
    ]

    /// The name's extension when it says that the file is no page, as `.zip` of `a.zip`.
    public static func binaryExtension(of name: String) -> String? {
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return nil }
        let ext = name[name.utf8.index(after: dot)...].lowercased()
        return binary.contains(ext) ? "." + ext : nil
    }

    /// Whether bytes begin as a page does: with `<`, after blanks and a byte order mark. Nothing at all does as well.
    public static func mayBePage(_ bytes: some Collection<UInt8>) -> Bool {
        let body = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        return body.first { $0 > 0x20 }.map { $0 == UInt8(ascii: "<") } ?? true
    }
}

extension ResponseHead {
    /// The body calls itself a page, and no file to be saved.
    public var isPage: Bool {
        (200...299).contains(status) && disposition == nil
            && (mediaType == "text/html" || mediaType == "application/xhtml+xml")
    }
}

/// Decides by the media type whether a response can be the requested file.
///
/// A site whose login session has expired may answer a request for `disk.iso` with a login page and status 200.
package enum ExpectedType {
    /// Extensions of files that are never HTML pages, in lower case.
    private static let binary: Set<String> = [
        "7z", "aac", "apk", "appimage", "avi", "bin", "bz2", "cab", "crate", "deb", "dmg", "doc", "docx", "epub", "exe",
        "flac", "gem", "gif", "gpg", "gz", "heic", "img", "iso", "jar", "jpeg", "jpg", "lz4", "m4a", "m4v", "mkv",
        "mov",
        "mp3", "mp4", "mpg", "msi", "odt", "ogg", "ogv", "opus", "parquet", "pdf", "pkg", "png", "ppt", "pptx", "qcow2",
        "rar", "rpm", "safetensors", "sqlite", "tar", "tbz", "tgz", "tiff", "torrent", "ttf", "txz", "vdi", "vmdk",
        "wasm", "wav", "webm", "webp", "whl", "woff", "woff2", "xls", "xlsx", "xz", "zip", "zst",
    ]

    /// The extension of the name with its dot, such as `.zip`, if files with it are never HTML pages; else `nil`.
    package static func binaryExtension(of name: String) -> String? {
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return nil }
        let ext = name[name.utf8.index(after: dot)...].lowercased()
        return binary.contains(ext) ? "." + ext : nil
    }

    /// Whether bytes may be the beginning of an HTML page: `<` after blanks and a byte order mark. True for no bytes.
    package static func mayBePage(_ bytes: some Collection<UInt8>) -> Bool {
        let body = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        return body.first { $0 > 0x20 }.map { $0 == UInt8(ascii: "<") } ?? true
    }
}

extension ResponseHead {
    /// The media type is that of an HTML page, and there is no Content-Disposition that asks to save the body as a file.
    package var isPage: Bool {
        (200...299).contains(status) && disposition == nil
            && (mediaType == "text/html" || mediaType == "application/xhtml+xml")
    }
}

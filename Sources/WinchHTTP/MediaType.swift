/// Media types of files that are uploaded.
package enum MediaType {
    /// By the extension of a name or path; `application/octet-stream` for all that is not listed.
    ///
    /// - Source: the IANA registry of media types.
    package static func of(fileName: String) -> String {
        let name = fileName.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? ""
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return general }
        return types[name[name.index(after: dot)...].lowercased()] ?? general
    }

    private static let general = "application/octet-stream"

    private static let types = [
        "7z": "application/x-7z-compressed", "avif": "image/avif", "bmp": "image/bmp", "bz2": "application/x-bzip2",
        "css": "text/css", "csv": "text/csv", "epub": "application/epub+zip", "flac": "audio/flac", "gif": "image/gif",
        "gz": "application/gzip", "htm": "text/html", "html": "text/html", "ico": "image/vnd.microsoft.icon",
        "jpeg": "image/jpeg", "jpg": "image/jpeg", "js": "text/javascript", "json": "application/json",
        "md": "text/markdown", "mkv": "video/matroska", "mov": "video/quicktime", "mp3": "audio/mpeg",
        "mp4": "video/mp4", "ogg": "audio/ogg", "pdf": "application/pdf", "png": "image/png", "rtf": "application/rtf",
        "svg": "image/svg+xml", "tar": "application/x-tar", "tif": "image/tiff", "tiff": "image/tiff",
        "txt": "text/plain", "wasm": "application/wasm", "wav": "audio/wav", "webm": "video/webm",
        "webp": "image/webp", "xml": "application/xml", "xz": "application/x-xz", "zip": "application/zip",
        "zst": "application/zstd",
    ]
}

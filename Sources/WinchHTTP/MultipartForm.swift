package import WinchModel

/// The parts of a multipart/form-data body around the values.
///
/// - Source: RFC 7578; the names are written as the WHATWG HTML standard says, section "Multipart form data".
package enum MultipartForm {
    package static let lineEnd = Array("\r\n".utf8)

    /// What comes before the value, and the value itself unless it is a file.
    package static func head(of field: FormField, boundary: String) -> [UInt8] {
        var text = "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(quoted(field.name))\""
        switch field.value {
        case .text(let value):
            text += "\r\n\r\n" + value
        case .file(let path, let name, let type):
            let fileName = name ?? path.lastPathPart ?? path
            text +=
                "; filename=\"\(quoted(fileName))\"\r\nContent-Type: \(oneLine(type ?? MediaType.of(fileName: fileName)))\r\n\r\n"
        }
        return text.systemBytes
    }

    /// What comes behind the last value and its line end.
    package static func end(boundary: String) -> [UInt8] { Array("--\(boundary)--\r\n".utf8) }

    /// Line breaks, quotes and NUL, at which some servers would cut the name, are percent-encoded; nothing else is.
    private static func quoted(_ name: String) -> String {
        name.unicodeScalars.reduce(into: "") { text, scalar in
            let isCut = ["\n", "\r", "\"", "\0"].contains(scalar)
            text += isCut ? PercentCoding.encoded(String(scalar)) : String(scalar)
        }
    }

    private static func oneLine(_ text: String) -> String {
        String(decoding: text.utf8.filter { $0 >= 0x20 && $0 != 0x7F }, as: UTF8.self)
    }
}

/// Media types of files that are uploaded.
package enum MediaType {
    /// By the extension of a name or path; `application/octet-stream` for all that is not listed.
    ///
    /// - Source: the IANA registry of media types.
    package static func of(fileName: String) -> String {
        let name = fileName.lastPathPart ?? ""
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

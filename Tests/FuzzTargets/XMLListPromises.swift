import WinchListing
import WinchModel

/// Invariants of the parsers of folders listed in XML: of WebDAV and of S3.
enum XMLListPromises {
    /// Reads the input without its first byte, which says in which parts it arrives.
    static func fault(_ bytes: [UInt8]) -> String? {
        guard let first = bytes.first else { return nil }
        let text = bytes.dropFirst()
        let part = Int(first % 32) + 1
        return fault(text, part) { DavList(path: "/pub/") }
            ?? fault(text, part) { BucketList(prefix: Array("pub/".utf8)) }
            ?? fault(text, part) { BucketList(prefix: []) }
    }

    private static func fault<Parser: ListingParser>(_ text: ArraySlice<UInt8>, _ part: Int, _ parser: () -> Parser)
        -> String?
    {
        let whole = Listing(parser(), text, inParts: max(1, text.count))
        if Listing(parser(), text, inParts: part) != whole { return "another listing in parts of \(part) bytes" }
        // Each entry needs a tag.
        if whole.entries.count > text.count(where: { $0 == UInt8(ascii: "<") }) {
            return "\(whole.entries.count) entries in \(text.count) bytes"
        }
        for entry in whole.entries {
            if let size = entry.version.size, size.bytes < 0 || !size.isExact { return "a size of \(size)" }
            if entry.kind != .file, entry.version.size != nil { return "a size of what is no file" }
        }
        return if case .continued("", _)? = whole.end { "an empty token" } else { nil }
    }

    /// What a parser has read.
    private struct Listing: Equatable {
        let entries: [ListedEntry]
        /// `nil`: the text is no listing.
        private(set) var end: ListingEnd?

        init(_ parser: some ListingParser, _ text: ArraySlice<UInt8>, inParts size: Int) {
            var parser = parser
            var found: [ListedEntry] = []
            do {
                for start in stride(from: text.startIndex, to: text.endIndex, by: size) {
                    let part = Array(text[start..<min(text.endIndex, start + size)])
                    try part.withUnsafeBytes { bytes in try parser.read(bytes) { found.append($0) } }
                }
                end = try parser.end { found.append($0) }
            } catch { end = nil }
            entries = found
        }
    }
}

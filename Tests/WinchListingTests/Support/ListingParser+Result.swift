import WinchModel

@testable import WinchListing

extension ListingParser {
    /// The entries of a listing that arrives in parts of so many bytes, and how it ends.
    func result(
        of text: [UInt8], nextPart: () -> Int = { .max }
    ) throws -> (entries: [ListedEntry], end: ListingEnd) {
        var parser = self
        var entries: [ListedEntry] = []
        var rest = text[...]
        while !rest.isEmpty {
            let part = Array(rest.prefix(nextPart()))
            rest = rest.dropFirst(part.count)
            try part.withUnsafeBytes { bytes in try parser.read(bytes) { entries.append($0) } }
        }
        let end = try parser.end { entries.append($0) }
        return (entries, end)
    }

    /// The entries as `kind name size`, where a rounded size has a `~`, and none is `-`.
    func summaries(_ text: String) throws -> [String] {
        try result(of: Array(text.utf8)).entries.map { entry in
            let size = entry.version.size.map { ($0.isExact ? "" : "~") + "\($0.bytes)" } ?? "-"
            return "\(entry.kind) '\(String(decoding: entry.name, as: UTF8.self))' \(size)"
        }
    }
}

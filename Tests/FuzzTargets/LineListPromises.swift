import WinchListing
import WinchModel

/// Invariants of the parsers of folders listed in lines: MLSD, LIST and SFTP.
enum LineListPromises {
    private static let now: Int64 = 1_705_000_000

    /// Reads the input without its first byte, which says in which parts it arrives.
    static func fault(_ bytes: [UInt8]) -> String? {
        guard let first = bytes.first else { return nil }
        let text = bytes.dropFirst()
        let part = Int(first % 32) + 1
        return fault(of: MachineList(), text, part) ?? fault(of: LongList(now: now), text, part)
            ?? fault(of: LongList(now: now, isSFTP: true), text, part)
    }

    private static func fault(of parser: some ListingParser, _ text: ArraySlice<UInt8>, _ part: Int) -> String? {
        let whole = entries(parser, text, inParts: max(1, text.count))
        if entries(parser, text, inParts: part) != whole { return "other entries in parts of \(part) bytes" }
        // A name that goes on in the next line may have lost a CR.
        let bare = text.filter { $0 != UInt8(ascii: "\r") }
        let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).count
        guard let whole else { return nil }
        if whole.count > lines { return "\(whole.count) entries in \(lines) lines" }
        for entry in whole {
            if let size = entry.version.size, size.bytes < 0 || size.tolerance < 0 { return "a size of \(size)" }
            if entry.kind != .file, entry.version.size != nil { return "a size of what is no file" }
            let name = entry.name.filter { $0 != UInt8(ascii: "\r") }
            if !name.isEmpty, bare.firstRange(of: name) == nil {
                return "the name \(entry.name) does not stand there"
            }
        }
        return nil
    }

    /// - Returns: `nil`: the text is no listing.
    private static func entries(_ parser: some ListingParser, _ text: ArraySlice<UInt8>, inParts size: Int)
        -> [ListedEntry]?
    {
        var parser = parser
        var entries: [ListedEntry] = []
        do {
            for start in stride(from: text.startIndex, to: text.endIndex, by: size) {
                let part = Array(text[start..<min(text.endIndex, start + size)])
                try part.withUnsafeBytes { bytes in try parser.read(bytes) { entries.append($0) } }
            }
            _ = try parser.end { entries.append($0) }
        } catch { return nil }
        return entries
    }
}

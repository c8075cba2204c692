import WinchListing
import WinchModel

/// Invariants of the parsers of folders' pages.
enum PagePromises {
    static func fault(html bytes: [UInt8]) -> String? {
        fault(bytes, HTMLIndex(path: "/pub/", now: 1_700_000_000))
    }

    static func fault(json bytes: [UInt8]) -> String? {
        fault(bytes, JSONIndex())
    }

    private struct Reading: Equatable {
        var entries: [ListedEntry] = []
        var fault: String?
    }

    private static func fault(_ bytes: [UInt8], _ parser: some ListingParser) -> String? {
        let whole = reading(bytes, by: parser, inParts: max(1, bytes.count))
        for size in [1, 13] where reading(bytes, by: parser, inParts: size) != whole {
            return "another listing in parts of \(size) bytes"
        }
        if whole.entries.count > bytes.count { return "\(whole.entries.count) entries in \(bytes.count) bytes" }
        for entry in whole.entries {
            if let size = entry.version.size, size.bytes < 0 || size.tolerance < 0 { return "a size of \(size)" }
            // From 1600 to 9999, and a day for the zone.
            if let time = entry.version.time, !(-11_676_182_400...253_402_387_200).contains(time.seconds) {
                return "a time of \(time)"
            }
        }
        return nil
    }

    private static func reading(_ bytes: [UInt8], by parser: some ListingParser, inParts size: Int) -> Reading {
        var reading = Reading()
        do {
            try read(bytes, by: parser, inParts: size, into: &reading.entries)
        } catch {
            reading.fault = "\(error)"
        }
        return reading
    }

    private static func read(
        _ bytes: [UInt8], by start: some ListingParser, inParts size: Int, into entries: inout [ListedEntry]
    ) throws {
        var parser = start
        for begin in stride(from: 0, to: bytes.count, by: size) {
            try bytes[begin..<min(bytes.count, begin + size)].withUnsafeBytes { part in
                try parser.read(part) { entries.append($0) }
            }
        }
        _ = try parser.end { entries.append($0) }
    }
}

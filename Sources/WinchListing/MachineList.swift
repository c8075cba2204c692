import WinchModel

/// The answer to FTP's MLSD: a line such as `type=file;size=1;modify=20240105123456; name` for each entry.
///
/// - Source: RFC 3659, section 7.
package struct MachineList: ListingParser {
    private var list = LineList(MachineLine())

    package init() {}

    package mutating func read(_ bytes: UnsafeRawBufferPointer, _ take: (ListedEntry) -> Void) throws(ListingFault) {
        try list.read(bytes, take)
    }

    package mutating func end(_ take: (ListedEntry) -> Void) throws(ListingFault) -> ListingEnd { try list.end(take) }
}

private struct MachineLine: LineReader {
    var namesMayGoOn: Bool { true }

    func reading(of line: ArraySlice<UInt8>) -> LineReading {
        if line.isEmpty { return .noEntry }
        guard let blank = Self.endOfFacts(line) else { return .unknown }
        let facts = line[..<blank]
        guard facts.isEmpty || facts.contains(UInt8(ascii: "=")) else { return .unknown }
        // Without a type it is taken for a file: if it is a folder, and has no size, the server says so when it is downloaded.
        var kind = ListedEntry.Kind.file
        var version = ListedVersion()
        for fact in facts.split(separator: UInt8(ascii: ";")) {
            guard let equals = fact.firstIndex(of: UInt8(ascii: "=")) else { continue }
            let value = fact[(equals + 1)...]
            switch String(decoding: fact[..<equals], as: UTF8.self).lowercased() {
            case "type":
                guard let known = Self.kind(value) else { return .noEntry }
                kind = known
            case "size": version.size = ListedSize(digits: value)
            case "modify": version.time = ListingDates.machine(value)
            default: break
            }
        }
        if kind != .file { version.size = nil }
        return .entry(ListedEntry(name: Array(line[(blank + 1)...]), kind: kind, version: version))
    }

    /// Where the blank before the name stands: it is the first one, unless a link's target, which some servers add to the type,
    /// has blanks of its own.
    private static func endOfFacts(_ line: ArraySlice<UInt8>) -> Int? {
        guard let blank = line.firstIndex(of: UInt8(ascii: " ")) else { return nil }
        let facts = line[..<blank]
        guard let last = facts.last, last != UInt8(ascii: ";"), facts.firstRange(of: "slink:".utf8) != nil,
            let end = line[blank...].firstRange(of: "; ".utf8)
        else { return blank }
        return end.lowerBound + 1
    }

    /// - Returns: `nil` for the folder itself, its parent, and what is neither file nor folder.
    private static func kind(_ type: ArraySlice<UInt8>) -> ListedEntry.Kind? {
        // The types are short; only the target of a link is long.
        let text = String(decoding: type.prefix(16), as: UTF8.self).lowercased()
        switch text {
        case "file": return .file
        case "dir": return .folder
        default: return text.hasPrefix("os.unix=slink") || text.hasPrefix("os.unix=symlink") ? .link : nil
        }
    }
}

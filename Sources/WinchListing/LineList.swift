/// What a line of a listing says.
enum LineReading {
    case entry(ListedEntry)
    /// The line is as it should be, but names nothing below the folder that could be downloaded.
    case noEntry
    /// The line has another form.
    case unknown
}

/// Reads the lines of one form of listing.
protocol LineReader {
    mutating func reading(of line: ArraySlice<UInt8>) -> LineReading
    /// The names that are listed may have ends of lines, as on Unix.
    var namesMayGoOn: Bool { get }
}

/// A listing with a line for each entry. A line of another form, or an empty one, is the rest of the name in the line before it:
/// servers do not escape the ends of lines in names, and libcurl makes an LF of each CR that an FTP server lists. Such a name
/// cannot be asked for by FTP, but it must not be taken for that of another file.
struct LineList<Reader: LineReader> {
    private var reader: Reader
    private var lines: ListingLines
    private let isSFTP: Bool
    /// The last entry, with its line: its name may go on.
    private var last: (line: [UInt8], entry: ListedEntry, goesOn: Bool)?
    private var hasKnown = false
    private var hasUnknown = false

    /// - Parameter isSFTP: the list is libcurl's, each of whose lines ends with LF.
    init(_ reader: Reader, isSFTP: Bool = false) {
        (self.reader, self.isSFTP) = (reader, isSFTP)
        lines = ListingLines(keepsCR: isSFTP)
    }

    mutating func read(_ bytes: UnsafeRawBufferPointer, _ take: (ListedEntry) -> Void) throws(ListingFault) {
        try lines.append(bytes)
        while let line = try lines.next() { note(line, take) }
    }

    /// Lines of an unknown form before the first entry are left out.
    ///
    /// - Throws: if no line was of a known form. A listing without lines is one of an empty folder.
    mutating func end(_ take: (ListedEntry) -> Void) throws(ListingFault) -> ListingEnd {
        if let line = try lines.last() { note(line, take) }
        // Some servers end the list with empty lines.
        while !isSFTP, last?.line.last == UInt8(ascii: "\n") { last?.line.removeLast() }
        release(take)
        if hasUnknown, !hasKnown { throw ListingFault("the server's answer is no list of a folder's files") }
        return .complete
    }

    private mutating func note(_ line: ArraySlice<UInt8>, _ take: (ListedEntry) -> Void) {
        let reading = reader.reading(of: line)
        guard !continues(line, reading) else { return }
        release(take)
        switch reading {
        case .entry(let entry):
            hasKnown = true
            last = (Array(line), entry, false)
        case .noEntry: hasKnown = true
        case .unknown: hasUnknown = true
        }
    }

    /// - Returns: false: the line stands for itself.
    private mutating func continues(_ line: ArraySlice<UInt8>, _ reading: LineReading) -> Bool {
        guard reader.namesMayGoOn, let length = last?.line.count else { return false }
        switch reading {
        case .entry: return false
        case .noEntry where !line.isEmpty: return false
        case .noEntry, .unknown: break
        }
        // No name is as long; what is kept of it is too long as well.
        if length <= ListingLimits.line {
            last?.line.append(UInt8(ascii: "\n"))
            last?.line.append(contentsOf: line)
        }
        last?.goesOn = true
        return true
    }

    private mutating func release(_ take: (ListedEntry) -> Void) {
        guard let held = last else { return }
        last = nil
        var entry = held.entry
        if held.goesOn, case .entry(let whole) = reader.reading(of: held.line[...]) { entry = whole }
        let isFolderItself = entry.name.elementsEqual(".".utf8) || entry.name.elementsEqual("..".utf8)
        if !isFolderItself { take(entry) }
    }
}

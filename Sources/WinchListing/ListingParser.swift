import WinchBatch
package import WinchModel

/// One entry of a folder, as its listing says.
package struct ListedEntry: Hashable, Sendable {
    /// What an entry is.
    package enum Kind: Hashable, Sendable {
        case file
        case folder
        /// A symbolic link to either.
        case link
    }

    /// One decoded component, unchecked: it may be empty, `..`, or have a slash.
    package var name: [UInt8]
    package var kind: Kind
    /// Of a folder or a link it may be anything.
    package var version: ListedVersion

    package init(name: [UInt8], kind: Kind, version: ListedVersion = ListedVersion()) {
        (self.name, self.kind, self.version) = (name, kind, version)
    }
}

/// Why a listing cannot be read.
package struct ListingFault: Error, Hashable, Sendable {
    /// For the user: what is wrong with the listing.
    package let message: String

    package init(_ message: String) {
        self.message = message
    }
}

/// What the listing of a folder says besides its entries.
package enum ListingEnd: Hashable, Sendable {
    /// It is complete.
    case complete
    /// Another page follows, which is asked for with this token: of a bucket's first version a `marker`.
    case continued(token: String, isMarker: Bool)
}

/// Reads the listing of one folder while it arrives. Wherever the bytes are cut, the entries are the same. Time is in proportion
/// to the number of bytes, and no more than three times ``ListingLimits/line`` of them are kept, and ``BucketList/mostHeld`` keys.
package protocol ListingParser {
    /// Takes the next bytes of the listing.
    ///
    /// - Parameter take: is given each entry as soon as it is complete.
    mutating func read(_ bytes: UnsafeRawBufferPointer, _ take: (ListedEntry) -> Void) throws(ListingFault)

    /// The listing has ended.
    ///
    /// - Throws: if it is cut short, or was no listing.
    mutating func end(_ take: (ListedEntry) -> Void) throws(ListingFault) -> ListingEnd
}

/// Bounds of what a server may send as the listing of one folder. ``ListingReader`` counts the entries, of all pages.
package enum ListingLimits {
    /// 64 KiB, in bytes: one line, tag or value.
    package static let line = 64 << 10
    /// Entries of one folder: more than any that is known.
    package static let entries = 1_000_000
    /// 512 MiB: a million entries of 512 bytes. Of a list in pages, each page.
    package static let bytes = 512 << 20
    /// Values of JSON inside each other; for XML the reader has a bound of its own.
    package static let levels = 32
}

/// The bytes of a listing so far: one without an end may have no entry at all.
struct ListingLength {
    private var bytes = 0

    mutating func add(_ count: Int) throws(ListingFault) {
        bytes += count
        guard bytes <= ListingLimits.bytes else {
            throw ListingFault("the folder's listing is longer than \(ListingLimits.bytes) bytes")
        }
    }
}

/// Cuts a listing into lines, which end with LF or CR LF.
struct ListingLines {
    /// A CR before the LF belongs to the line.
    let keepsCR: Bool
    /// Of all that has been appended.
    var length = ListingLength()
    private var bytes: [UInt8] = []
    /// Where the next line begins in `bytes`.
    private var start = 0
    /// Before it `bytes` has no end of a line, from `start` on.
    private var searched = 0

    init(keepsCR: Bool = false) { self.keepsCR = keepsCR }

    mutating func append(_ new: UnsafeRawBufferPointer) throws(ListingFault) {
        try length.add(new.count)
        bytes.removeFirst(start)
        searched -= start
        start = 0
        bytes.append(contentsOf: new)
    }

    /// The next complete line without its end; `nil`: there is none yet.
    mutating func next() throws(ListingFault) -> ArraySlice<UInt8>? {
        guard let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
            searched = bytes.endIndex
            return try checked(start..<bytes.endIndex, isComplete: false)
        }
        let line = try checked(start..<end, isComplete: true)
        start = end + 1
        searched = start
        return line
    }

    /// The last line, if it has no end; `nil`: there is none.
    mutating func last() throws(ListingFault) -> ArraySlice<UInt8>? {
        guard start < bytes.endIndex else { return nil }
        let line = try checked(start..<bytes.endIndex, isComplete: true)
        (start, searched) = (bytes.endIndex, bytes.endIndex)
        return line
    }

    private func checked(_ range: Range<Int>, isComplete: Bool) throws(ListingFault) -> ArraySlice<UInt8>? {
        guard range.count <= ListingLimits.line else {
            throw ListingFault("a line of the folder's listing is longer than \(ListingLimits.line) bytes")
        }
        guard isComplete else { return nil }
        let line = bytes[range]
        return !keepsCR && line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    }
}

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

/// Collects the entries of a listing from its elements.
protocol XMLListingBuilder: XMLBuilder {
    /// Those that are complete, until they are passed on.
    var entries: [ListedEntry] { get set }
}

/// Reads a listing in XML, and passes on the entries that its builder finds. Copies share the reader: only one of them may be
/// used.
struct XMLListing<Builder: XMLListingBuilder> {
    let builder: Builder
    private let reader: XMLReader
    private var length = ListingLength()

    init(_ builder: Builder) {
        self.builder = builder
        reader = XMLReader(builder)
    }

    /// - Parameter isLast: the listing ends with these bytes.
    /// - Throws: after the entries that precede the fault.
    mutating func read(_ bytes: UnsafeRawBufferPointer, isLast: Bool = false, _ take: (ListedEntry) -> Void)
        throws(ListingFault)
    {
        try length.add(bytes.count)
        let problem = reader.feed(bytes, isLast: isLast)
        defer { builder.entries.removeAll(keepingCapacity: true) }
        for entry in builder.entries { take(entry) }
        if let problem {
            throw ListingFault("the server's list of the folder, line \(problem.line): \(problem.message)")
        }
    }

    mutating func end(_ take: (ListedEntry) -> Void) throws(ListingFault) {
        try read(UnsafeRawBufferPointer(start: nil, count: 0), isLast: true, take)
    }
}

extension ListedVersion {
    /// The hash of a validator; `nil`: it is empty.
    static func tag(_ validator: ArraySlice<UInt8>) -> UInt64? {
        guard !validator.isEmpty else { return nil }
        var hash = StableHash()
        hash.add(String(decoding: validator, as: UTF8.self))
        return UInt64(truncatingIfNeeded: hash.value >> 64 ^ hash.value)
    }
}

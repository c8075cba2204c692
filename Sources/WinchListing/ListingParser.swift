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
/// to the number of bytes, and no more than three times ``ListingLimits/line`` of them are kept.
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

import WinchBatch
import WinchModel

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

import WinchModel

/// The note on a part, by which a later run knows which of its bytes can be trusted.
///
/// Shape: `BOOT:BYTES` for a part that is written from its start on: so many bytes are synced, and in that boot all of the
/// file was written. `BOOT:RANGES/RANGES` for one that is written in several places: the synced bytes, and those that were
/// written in that boot. Ranges are `START-END`, without the end, separated by commas.
struct PartSyncState: Hashable, Sendable {
    /// `-` where the system names no boot: equal to none, so that later runs trust only what was synced.
    private var boot: Substring
    /// Bytes that survive a power loss.
    private var durable: ByteRanges
    /// Bytes that were written in the boot; `nil`: all of the file.
    private var written: ByteRanges?

    private static let unknownBoot: Substring = "-"

    /// - Parameters:
    ///   - boot: the present one; `nil`: the system does not name it.
    ///   - durable: bytes that survive a power loss.
    ///   - written: `nil`: all of the file, which is written from its start on.
    init(boot: String?, durable: ByteRanges, written: ByteRanges? = nil) {
        self.boot = boot.map { $0[...] } ?? Self.unknownBoot
        self.durable = durable
        self.written = written
    }

    /// `nil` when it is no note.
    init?(parsing text: String) {
        guard let colon = text.lastIndex(of: ":") else { return nil }
        boot = text[..<colon]
        let rest = text[text.index(after: colon)...]
        if let bytes = Int64(rest) {
            (durable, written) = (ByteRanges(0..<max(0, bytes)), nil)
            return
        }
        let sets = rest.split(separator: "/", omittingEmptySubsequences: false).map { Self.ranges($0) }
        guard sets.count == 2, let durable = sets[0], let written = sets[1] else { return nil }
        (self.durable, self.written) = (durable, written)
    }

    /// For the file. Where a file system's limit would be exceeded, the smallest ranges are left out: they are fetched
    /// again.
    ///
    /// - Parameter limit: of the text, in bytes.
    func text(limit: Int) -> String {
        var note = self
        while true {
            let text = note.wholeText
            guard text.utf8.count > limit, note.dropSmallest() else { return text }
        }
    }

    private var wholeText: String {
        guard let written else { return "\(boot):\(durable.prefixEnd)" }
        return "\(boot):\(Self.text(durable))/\(Self.text(written))"
    }

    /// - Returns: false when there is nothing to drop.
    private mutating func dropSmallest() -> Bool {
        guard let smallest = (written ?? durable).ranges.min(by: { $0.count < $1.count }) else { return false }
        durable.remove(contentsOf: smallest)
        written?.remove(contentsOf: smallest)
        return true
    }

    /// The bytes that can be trusted of a part of `length` bytes: those that were written, if this is the boot in which
    /// they were; else those that were synced.
    ///
    /// - Parameter boot: the present one; `nil`: the system does not name it.
    /// - Returns: `synced` is a part of `trusted`.
    func trust(length: Int64, boot: String?) -> (trusted: ByteRanges, synced: ByteRanges) {
        let file = ByteRanges(0..<length)
        let synced = durable.intersection(file)
        guard let boot, boot == self.boot else { return (synced, synced) }
        return (written.map { $0.union(synced).intersection(file) } ?? file, synced)
    }

    /// The bytes of a part of `length` bytes that were written when the note was made, whatever the boot.
    func written(length: Int64) -> ByteRanges {
        let file = ByteRanges(0..<length)
        return written.map { $0.intersection(file) } ?? file
    }

    private static func text(_ set: ByteRanges) -> String {
        set.ranges.map { "\($0.lowerBound)-\($0.upperBound)" }.joined(separator: ",")
    }

    private static func ranges(_ text: Substring) -> ByteRanges? {
        var set = ByteRanges()
        for part in text.split(separator: ",") {
            let bounds = part.split(separator: "-", omittingEmptySubsequences: false).map { Int64($0) }
            guard bounds.count == 2, let start = bounds[0], let end = bounds[1], start >= 0, start < end else {
                return nil
            }
            set.insert(contentsOf: start..<end)
        }
        return set
    }
}

extension PartSyncState {
    static func read(from file: Descriptor) -> PartSyncState? {
        Attribute.durable.get(from: file).flatMap { PartSyncState(parsing: $0) }
    }

    func write(to file: Descriptor) { Attribute.durable.set(text(limit: Attribute.longest), on: file) }
}

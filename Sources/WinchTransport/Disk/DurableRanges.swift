import Glibc
import Synchronization
import WinchModel
import WinchSystem

/// The bytes of a part that survive a power loss, with the note of them beside the bytes.
///
/// The loop cuts parts, the finisher's threads sync them: the note must never name more than was synced of the bytes
/// that are in the file now.
final class DurableRanges: Sendable {
    private struct State {
        var synced: ByteRanges
        /// Bytes that the note names as written; `nil`: the part is written from its start on, so that its length tells.
        var written: ByteRanges?
        /// Counts cuts: a sync that began before a cut does not hold for bytes written after it.
        var age = 0
        var isOver = false
    }

    private let state: Mutex<State>
    private let file: Descriptor
    private let boot: String?

    /// - Parameter boot: the present one; `nil`: the system does not name it.
    init(
        _ file: Descriptor, synced: ByteRanges = ByteRanges(), written: ByteRanges? = nil,
        boot: String? = BootID.current
    ) {
        self.file = file
        self.boot = boot
        state = Mutex(State(synced: synced, written: written))
    }

    var ranges: ByteRanges { state.withLock { $0.synced } }

    var age: Int { state.withLock { $0.age } }

    func contains(_ ranges: ByteRanges) -> Bool { state.withLock { ranges.isSubset(of: $0.synced) } }

    /// Writes the note, for bytes that are written from now on.
    func note() { state.withLock { write($0) } }

    /// Notes which bytes of a part are written, from now on by their ranges. To be called before the first byte behind a
    /// gap is written, since the length says nothing from then on, and again when more are. `nil`: all of the file, from its
    /// start on.
    func note(written: ByteRanges?) {
        state.withLock { state in
            guard state.written != written, !state.isOver else { return }
            state.written = written
            write(state)
        }
    }

    /// Nothing beyond `length` is in the file, or will be for a moment. To be called before the file is cut.
    func cut(to length: Int64) {
        state.withLock { state in
            state.age += 1
            let beyond = length..<Int64.max
            let before = (state.synced, state.written)
            state.synced.remove(contentsOf: beyond)
            state.written?.remove(contentsOf: beyond)
            if before != (state.synced, state.written) { write(state) }
        }
    }

    /// These bytes are wrong, and are to be written once more.
    ///
    /// - Parameter written: the bytes that are left.
    func forget(_ range: Range<Int64>, written: ByteRanges) {
        state.withLock { state in
            guard !state.isOver else { return }
            state.age += 1
            state.synced.remove(contentsOf: range)
            state.written = written
            write(state)
        }
    }

    /// A sync that began when the part held these bytes has ended.
    func synced(_ ranges: ByteRanges, age: Int) {
        state.withLock { state in
            guard !state.isOver, state.age == age, !ranges.isSubset(of: state.synced) else { return }
            state.synced.formUnion(ranges)
            state.written?.formUnion(ranges)
            write(state)
        }
    }

    /// Another process may open the part from now on.
    func end() { state.withLock { $0.isOver = true } }

    private func write(_ state: State) {
        PartSyncState(boot: boot, durable: state.synced, written: state.written).write(to: file)
    }
}

/// The note on a part, by which a later run knows which of its bytes can be trusted.
///
/// Shape: `BOOT:BYTES` for a part that is written from its start on: so many bytes are synced, and in that boot all of the
/// file was written. `BOOT:RANGES/RANGES` for one that is written in several places, or that is closed: the synced bytes, and
/// those that were written in that boot. Ranges are `START-END`, without the end, separated by commas.
struct PartSyncState: Hashable, Sendable {
    /// `-` where the system names no boot: equal to none, so that later runs trust only what was synced.
    private var boot: Substring
    private var durable: ByteRanges
    /// Bytes that were written in the boot; `nil`: all of the file.
    private var written: ByteRanges?

    private static let unknownBoot: Substring = "-"

    /// - Parameter boot: the present one; `nil`: the system does not name it.
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

    func write(to file: Descriptor) {
        var limit = Attribute.longest
        // The other attributes may leave less room.
        while !Attribute.durable.set(text(limit: limit), on: file), errno == ENOSPC, limit > 0 { limit /= 2 }
    }
}

/// Bytes of a part that are to survive a power loss from now on.
struct Checkpoint: Sendable {
    var connection: ConnectionID
    var client: any FileServicesClient
    var file: Descriptor
    var durable: DurableRanges
    /// The bytes that the part held when this was asked for.
    var ranges: ByteRanges
    /// As `DurableRanges.age` at that time.
    var age: Int

    /// Waits for the disk, notes it when it worked, and tells the client. May block.
    func write() {
        if file.syncBytes() == 0 { durable.synced(ranges, age: age) }
        client.wrote(self)
    }
}

import Synchronization
import WinchModel

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

    /// - Parameters:
    ///   - synced: already.
    ///   - written: already, in several places; `nil`: from the start on.
    ///   - boot: the present one; `nil`: the system does not name it.
    init(
        _ file: Descriptor, synced: ByteRanges = ByteRanges(), written: ByteRanges? = nil,
        boot: String? = BootID.current
    ) {
        self.file = file
        self.boot = boot
        state = Mutex(State(synced: synced, written: written))
    }

    /// Bytes that survive a power loss.
    var ranges: ByteRanges { state.withLock { $0.synced } }

    /// To be handed to `synced` later.
    var age: Int { state.withLock { $0.age } }

    func contains(_ ranges: ByteRanges) -> Bool { state.withLock { ranges.isSubset(of: $0.synced) } }

    /// Writes the note, for bytes that are written from now on.
    func note() { state.withLock { write($0) } }

    /// Notes which bytes of a part are written, from now on by their ranges. To be called before the first byte behind a
    /// gap is written, since the length says nothing from then on, and again when more are.
    func note(written: ByteRanges) {
        state.withLock { state in
            guard state.written != written, !state.isOver else { return }
            state.written = written
            write(state)
        }
    }

    /// Notes that all of the file is written, from its start on.
    func noteWhole() {
        state.withLock { state in
            guard state.written != nil, !state.isOver else { return }
            state.written = nil
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

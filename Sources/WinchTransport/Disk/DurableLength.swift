import Synchronization

/// How many bytes of a part survive a power loss, with the note of it beside the bytes.
///
/// The loop cuts parts, the finisher's threads sync them: the note must never name more than was synced of the bytes
/// that are in the file now.
final class DurableLength: Sendable {
    private struct State {
        var bytes: Int64
        /// Counts cuts: a sync that began before a cut does not hold for bytes written after it.
        var age = 0
        var isOver = false
    }

    private let state: Mutex<State>
    private let file: Descriptor
    private let boot: String?

    /// - Parameters:
    ///   - bytes: synced already.
    ///   - boot: the present one; `nil`: the system does not name it.
    init(_ file: Descriptor, bytes: Int64, boot: String? = BootID.current) {
        self.file = file
        self.boot = boot
        state = Mutex(State(bytes: bytes))
    }

    var bytes: Int64 { state.withLock { $0.bytes } }

    /// To be handed to `synced` later.
    var age: Int { state.withLock { $0.age } }

    /// Writes the note for bytes that are written from now on.
    func note() { state.withLock { write($0.bytes) } }

    /// Nothing beyond `length` is in the file, or will be for a moment. To be called before the file is cut.
    func cut(to length: Int64) {
        state.withLock { state in
            state.age += 1
            guard length < state.bytes else { return }
            state.bytes = length
            write(length)
        }
    }

    /// A sync that began when the part was `length` long has ended.
    func synced(_ length: Int64, age: Int) {
        state.withLock { state in
            guard !state.isOver, state.age == age, length > state.bytes else { return }
            state.bytes = length
            write(length)
        }
    }

    /// Another process may open the part from now on.
    func end() { state.withLock { $0.isOver = true } }

    /// Stands for a boot that the system does not name: equal to none, so that later runs trust what was synced.
    private static let unknownBoot = "-"

    private func write(_ bytes: Int64) { Attribute.durable.set("\(boot ?? Self.unknownBoot):\(bytes)", on: file) }

    /// What may be trusted of a part of `length` bytes that says where it comes from: all of it in the boot that wrote it,
    /// else what was synced.
    ///
    /// - Returns: `synced` as noted, not more than `trusted`.
    static func read(
        from file: Descriptor, length: Int64, boot: String? = BootID.current
    ) -> (trusted: Int64, synced: Int64) {
        guard let text = Attribute.durable.get(from: file), let colon = text.lastIndex(of: ":"),
            let noted = Int64(text[text.index(after: colon)...])
        else { return (0, 0) }
        let synced = min(max(0, noted), length)
        return (boot.map { $0 == text[..<colon] } ?? false ? length : synced, synced)
    }
}

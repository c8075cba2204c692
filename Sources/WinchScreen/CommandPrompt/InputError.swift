/// Why a typed line or value is refused.
struct InputError: Error, Hashable, Sendable {
    /// The message for the user; may quote the typed text.
    let words: String

    init(_ words: String) {
        self.words = words
    }
}

/// Why something that was typed is not taken.
struct Refusal: Error, Hashable, Sendable {
    /// For a person; may hold what was typed.
    let words: String

    init(_ words: String) {
        self.words = words
    }
}

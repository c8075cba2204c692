/// A question from outside of the screen that a run cannot go on without, such as whether to trust a host's key or the
/// passphrase of a private key.
///
/// It comes as `ScreenEvent.inquiry`, is shown as a dialog as soon as nothing else is open, and is answered by
/// `ScreenAction.reply` with its `id`; `ScreenEvent.inquiryWithdrawn` takes it back. Inquiries are asked one after
/// the other, in the order in which they came.
public struct Inquiry: Hashable, Sendable, Identifiable {
    /// What the user can reply.
    public enum Kind: Hashable, Sendable {
        /// One of two or more answers; Esc declines.
        case choice([Answer])
        /// A line that is masked while it is typed; Esc declines.
        case secret
    }

    public struct Answer: Hashable, Sendable {
        /// A letter or digit; upper case is the same key.
        public let key: Character
        /// What the key does, in a few words: `trust once`.
        public let words: String

        public init(key: Character, words: String) {
            self.key = key
            self.words = words
        }
    }

    public enum Reply: Hashable, Sendable {
        /// The key of the answer.
        case chosen(Character)
        /// The secret as typed; never logged nor kept by the screen.
        case typed(String)
        /// Esc: neither yes nor a secret.
        case declined
    }

    public let id: Int
    /// One or two words: `Host key`.
    public let title: String
    /// One sentence; all that a window of one line shows.
    public let question: String
    /// Lines below the question, such as a fingerprint; may hold text from outside, which is escaped when drawn. A
    /// line longer than the box is wrapped; in a small window the first lines go first, so the most important is last.
    public let details: [String]
    public let kind: Kind

    public init(id: Int, title: String, question: String, details: [String] = [], kind: Kind) {
        self.id = id
        self.title = title
        self.question = question
        self.details = details
        self.kind = kind
    }
}

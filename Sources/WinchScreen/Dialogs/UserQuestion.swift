/// A question to the user that must be answered before a run can continue, such as whether to trust a host's key, or
/// the passphrase of a private key.
///
/// It arrives as `ScreenEvent.inquiry`, is shown as a dialog as soon as nothing else is open, and is answered by
/// `ScreenAction.reply` with its `id`; `ScreenEvent.inquiryWithdrawn` withdraws it. Inquiries are asked one at a
/// time, in the order of their arrival.
package struct UserQuestion: Hashable, Sendable, Identifiable {
    /// Which replies are possible.
    package enum Kind: Hashable, Sendable {
        /// One of two or more answers; Esc declines.
        case choice([Answer])
        /// A line that is masked while it is typed; Esc declines.
        case secret
    }

    /// One answer of a `choice`.
    package struct Answer: Hashable, Sendable {
        /// A letter or digit; upper case is the same key.
        package let key: Character
        /// What the key does, in a few words: `trust once`.
        package let words: String

        package init(key: Character, words: String) {
            self.key = key
            self.words = words
        }
    }

    /// What the user replied.
    package enum Reply: Hashable, Sendable {
        /// The key of the answer.
        case chosen(Character)
        /// The secret as typed; never logged nor kept by the screen.
        case typed(String)
        /// Esc: no answer was chosen and no secret was given.
        case declined
    }

    /// Identifies the inquiry in its reply; 0 or more for inquiries from outside the screen.
    package let id: Int
    /// One or two words: `Host key`.
    package let title: String
    /// One sentence; a window of one line shows nothing else.
    package let question: String
    /// Lines below the question, such as a fingerprint; may contain text from outside, which is escaped when drawn. A
    /// line longer than the box is wrapped. In a small window the first lines are dropped first, so the most
    /// important line comes last.
    package let details: [String]
    package let kind: Kind

    package init(id: Int, title: String, question: String, details: [String] = [], kind: Kind) {
        self.id = id
        self.title = title
        self.question = question
        self.details = details
        self.kind = kind
    }
}

/// What is known of a transfer's size, from a guess to a fact. A lower confidence never replaces a higher one.
package enum SizeKnowledge: Hashable, Sendable, Codable {
    /// Nothing known; the estimate stands in the queue's sum, marked `~`.
    case unknown(estimate: ByteCount)
    /// A HEAD, or a state kept from before, said so.
    case probed(ByteCount)
    /// The headers of the body itself said so.
    case declared(ByteCount)
    /// The body has ended here.
    case exact(ByteCount)

    /// 0 for a guess to 3 for a fact.
    package var confidence: Int {
        switch self {
        case .unknown: 0
        case .probed: 1
        case .declared: 2
        case .exact: 3
        }
    }

    /// The size, `nil` while it is a guess.
    package var known: ByteCount? {
        switch self {
        case .unknown: nil
        case .probed(let size), .declared(let size), .exact(let size): size
        }
    }

    /// The size, known or guessed.
    package var guess: ByteCount {
        switch self {
        case .unknown(let size), .probed(let size), .declared(let size), .exact(let size): size
        }
    }

    /// The better of the two: `new` unless it is less sure than what is known.
    package func refined(by new: SizeKnowledge) -> SizeKnowledge {
        new.confidence >= confidence ? new : self
    }
}

/// What must come out of a case.
struct Expected: Sendable {
    /// Everything below the target folder at the end, by path. What was there before and stays is named as well.
    var files: [String: Content]
    var codes: Set<Int32>
    /// Words in what the tool says; each of them.
    var words: [String] = []
    var forbiddenWords: [String] = []
    /// `NAME.part` may lie there at the end.
    var mayKeepParts = false
    /// Instead of `files` there may be none and one of these codes: when honest servers and liars cannot be told apart.
    var orCodes: Set<Int32> = []
    var requests: ClosedRange<Int>?
    /// Bytes of all bodies.
    var sentAtMost: Int64?
    /// Seconds that it takes at least.
    var seconds = 0.0
    var facts: [ServerFact] = []

    /// A file of the fault server, whole, alone in the folder.
    static func whole(
        _ name: String, _ size: Int64 = 64 << 10, of source: String? = nil, version: Int = 0
    ) -> Expected {
        Expected(files: [name: .served(source ?? name, size: size, version: version)], codes: [0])
    }

    static func files(_ files: [String: Content], code: Int32 = 0) -> Expected {
        Expected(files: files, codes: [code])
    }

    static func fails(_ codes: Int32..., saying words: String...) -> Expected {
        Expected(files: [:], codes: Set(codes), words: words, mayKeepParts: true)
    }

    func or(_ codes: Int32...) -> Expected { with { $0.orCodes = Set(codes) } }
    func saying(_ words: String...) -> Expected { with { $0.words += words } }
    func neverSaying(_ words: String...) -> Expected { with { $0.forbiddenWords += words } }
    func besides(_ name: String, _ content: Content) -> Expected { with { $0.files[name] = content } }
    func requests(_ range: ClosedRange<Int>) -> Expected { with { $0.requests = range } }
    func sending(atMost bytes: Int64) -> Expected { with { $0.sentAtMost = bytes } }
    func lasting(_ seconds: Double) -> Expected { with { $0.seconds = seconds } }
    func seeing(_ facts: ServerFact...) -> Expected { with { $0.facts += facts } }
    var keepingParts: Expected { with { $0.mayKeepParts = true } }
    var withoutParts: Expected { with { $0.mayKeepParts = false } }

    private func with(_ change: (inout Expected) -> Void) -> Expected {
        var copy = self
        change(&copy)
        return copy
    }
}

/// What a file holds.
enum Content: Sendable {
    /// As `/f/NAME` serves it.
    case served(String, size: Int64, version: Int = 0)
    /// With `seed=`.
    case seeded(UInt64, size: Int64)
    /// As `/f/NAME?gzip` serves it: nobody asked for a coding, so the coded bytes are the file.
    case gzipped(String, size: Int64)
    case text(String)
    case link(to: String)
    case folder
}

/// What the servers must have seen, or not.
enum ServerFact: Sendable {
    enum Which: Sendable { case server, other }

    /// No request there carried the field with this in it.
    case never(Which, header: String, holding: String)
    case once(Which, header: String, holding: String)
    /// Answers of this status at most.
    case answers(Int, atMost: Int)
    /// The last request for the file asked for a part.
    case lastAsksForPart
}

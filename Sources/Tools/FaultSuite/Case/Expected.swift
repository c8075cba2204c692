/// The expected result of a case.
struct Expected: Sendable {
    /// All files below the target folder at the end, by path, including those that were there before.
    var files: [String: Content]
    var codes: Set<Int32>
    /// Texts that must all occur in the tool's output.
    var words: [String] = []
    var forbiddenWords: [String] = []
    /// Files `NAME.part` may be left at the end.
    var mayKeepParts = false
    /// Other exit codes that are right as well; `files` may then be missing. For cases in which a tool cannot distinguish an
    /// honest server from a faulty one.
    var orCodes: Set<Int32> = []
    var requests: ClosedRange<Int>?
    /// Limit of the body bytes that the server sends in all its responses.
    var sentAtMost: Int64?
    /// Seconds that the runs take at least.
    var seconds = 0.0
    var facts: [ServerFact] = []

    /// A complete file of the fault server as the only file in the folder.
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

/// The content of a file.
enum Content: Sendable {
    /// As `/f/NAME` serves it.
    case served(String, size: Int64, version: Int = 0)
    /// With `seed=`.
    case seeded(UInt64, size: Int64)
    /// As `/f/NAME?gzip` serves it: the request asks for no coding, so the encoded bytes are the file.
    case gzipped(String, size: Int64)
    case text(String)
    case link(to: String)
    case folder
}

/// A condition on the requests that the servers have logged.
enum ServerFact: Sendable {
    enum Which: Sendable { case server, other }

    /// No request to that server has a field of this name with this text in its value; an empty text stands for any value.
    case never(Which, header: String, holding: String)
    case once(Which, header: String, holding: String)
    /// The server has sent at most this many responses of this status.
    case answers(Int, atMost: Int)
    /// The last GET asks for a part of the file.
    case lastAsksForPart
}

import FaultServer

/// One fault and its expected result.
///
/// Texts may hold `{server}`, `{login}` (the server with a login), `{other}` (a second origin), `{late}` (one that
/// listens only after a while) and `{home}`.
struct FaultCase: Sendable, CustomStringConvertible {
    /// Group and title.
    private(set) var name: String
    /// URLs and options, separated by spaces. A word that begins with a slash is a path of the server.
    let command: String
    let batch: String?
    /// What is there before the first run, by its path in the scratch folder.
    let before: [String: Content]
    /// Shell that runs before the program, and may change its command `$@`.
    let setup: String?
    /// A first run is killed when this many bytes are on disk.
    let killedAt: Int64?
    let expected: Expected

    var description: String { name }

    init(
        _ title: String, _ command: String = "", batch: String? = nil, before: [String: Content] = [:],
        under setup: String? = nil, killedAt: Int64? = nil, gives expected: Expected = .whole("a")
    ) {
        name = title
        self.command = command
        self.batch = batch
        self.before = before
        self.setup = setup
        self.killedAt = killedAt
        self.expected = expected
    }

    static let groups: [String: [FaultCase]] = [
        "framing": framing + lies, "resume": resume + kills + swaps, "retry": retry, "redirects": redirects,
        "names": names + conflicts, "auth": auth, "batch": batches, "local": local, "limits": limits,
    ]

    /// The whole table.
    static let all: [FaultCase] = groups.sorted { $0.key < $1.key }.flatMap { group, cases in
        cases.map { faultCase -> FaultCase in
            var named = faultCase
            named.name = "\(group): \(faultCase.name)"
            return named
        }
    }
}

/// The expected result of a case.
struct Expected: Sendable {
    /// All files below the target folder at the end, by path, including those that were there before.
    var files: [String: Content]
    var codes: Set<Int32>
    /// Texts that must all occur in the output.
    var words: [String] = []
    var forbiddenWords: [String] = []
    /// Files `NAME.part` may be left at the end.
    var mayKeepParts = false
    /// Other exit codes that are right as well; `files` may then be missing. For cases in which an honest server and a
    /// faulty one look the same to the client.
    var orCodes: Set<Int32> = []
    var requests: ClosedRange<Int>?
    /// Limit of the body bytes that the server sends in all its responses.
    var sentAtMost: Int64?
    /// Seconds that the run takes at least.
    var seconds = 0.0
    /// Header fields, each with a text in its value, that a request to the server must have.
    var told: [String: String] = [:]
    /// Header fields that no request to another server may have, nor one to the server if they are not in `told`.
    var hidden: Set<String> = []

    /// A complete file of the fault server as the only file in the folder.
    static func whole(_ name: String, _ size: Int64 = 64 << 10, of source: String? = nil, version: Int = 0) -> Expected
    {
        .files([name: .served(source ?? name, size: size, version: version)])
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
    func telling(_ field: String, _ text: String) -> Expected { with { $0.told[field] = text } }
    func hiding(_ field: String) -> Expected { with { $0.hidden.insert(field) } }
    var keepingParts: Expected { with { $0.mayKeepParts = true } }
    var withoutParts: Expected { with { $0.mayKeepParts = false } }

    private func with(_ change: (inout Expected) -> Void) -> Expected {
        var copy = self
        change(&copy)
        return copy
    }
}

/// The path for which the fault server answers with exactly these bytes.
func raw(_ bytes: String) -> String { "/raw?bytes=" + percentEncoded(bytes) }

/// As it stands in a part of a URL, slashes encoded as well.
func percentEncoded(_ text: String) -> String { Percent.encoded(text, keepsSlashes: false) }

/// A file of the server that gives this Content-Disposition.
func disposed(_ value: String, size: String = "9") -> String {
    "/f/plain?size=\(size)&disposition=" + percentEncoded(value)
}

/// A header line as an option of the fault server.
func header(_ line: String) -> String { "header=" + percentEncoded(line) }

import FaultServer

/// One fault and its expected result: a row of the table that `make faults` prints and CI runs.
///
/// Texts may hold `{server}`, `{other}` (a second origin), `{late}` (one that listens only after a while), `{closed}`
/// (one that never does), `{tls}`, `{home}` and `{got}` (the target folder); a URL that begins with a slash is the
/// server's.
package struct FaultCase: Sendable {
    package enum Group: String, CaseIterable, Sendable {
        case framing, resume, retry, redirects, names, integrity, auth, batch, local, limits
    }

    package let group: Group
    package let title: String
    let urls: [String]
    let options: [Option]
    /// A batch file's text instead of URLs on the command line.
    let batch: String?
    let before: [Fixture]
    let testEnvironment: TestEnvironment
    let runs: [Run]
    let expected: Expected

    /// Names the case for `make faults ONLY=...` and in a failure.
    package var name: String { "\(group.rawValue): \(title)" }

    init(
        _ group: Group, _ title: String, _ urls: [String] = [], _ options: [Option] = [], batch: String? = nil,
        before: [Fixture] = [], on testEnvironment: TestEnvironment = .plain, runs: [Run] = [.uninterrupted],
        gives expected: Expected
    ) {
        self.group = group
        self.title = title
        self.urls = urls
        self.options = options
        self.batch = batch
        self.before = before
        self.testEnvironment = testEnvironment
        self.runs = runs
        self.expected = expected
    }

    /// The whole table.
    package static let all: [FaultCase] =
        framing + lies + resume + swaps + retry + redirects + names + conflicts + integrity + auth + batches + local
        + limits
}

extension FaultCase: CustomStringConvertible {
    package var description: String { name }
}

/// Words of the command line besides the URLs.
struct Option: Sendable {
    let words: [String]

    static func winch(_ words: String...) -> Option { Option(words: words) }
    static func out(_ name: String) -> Option { winch("-o", name) }
    static func login(_ user: String, _ password: String) -> Option { winch("--user", user, "--password", password) }
    static func header(_ line: String) -> Option { winch("--header", line) }
    /// - Parameter hex: hexadecimal digits.
    static func checksum(_ type: String, _ hex: String) -> Option { winch("--checksum", "\(type)=\(hex)") }
    static func maxRedirects(_ count: Int) -> Option { winch("--max-redirs", "\(count)") }
    /// Instead of three.
    static func tries(_ count: Int) -> Option { winch("--max-tries", "\(count)") }
    /// Seconds without any bytes after which an attempt fails, instead of four.
    static func timeout(_ seconds: Double) -> Option { winch("--timeout", "\(seconds)") }
    /// Seconds for a whole transfer.
    static func maxTime(_ seconds: Double) -> Option { winch("--max-time", "\(seconds)") }
    static let netrc = winch("--netrc")
    static func cookies(_ file: String) -> Option { winch("--cookies", file) }
    static func trust(_ file: String) -> Option { winch("--cacert", file) }
    /// As many for each host.
    static func jobs(_ count: Int) -> Option { winch("-j", "\(count)", "--per-host", "\(count)") }
}

/// A file, folder or link that is created below the scratch folder before the first run.
enum Fixture: Sendable {
    case file(String, String)
    case folder(String)
    case link(String, to: String)
}

/// The environment of a case: file system, limits, permissions.
enum TestEnvironment: Sendable {
    case plain
    /// The target folder is not writable.
    case readOnly
    /// RLIMIT_FSIZE in KiB.
    case fileLimit(kibibytes: Int)
    /// The target folder is on a file system of this size.
    /// - Parameter filler: KiB taken by another file, which is removed after `freedAfter` seconds.
    case smallDisk(kibibytes: Int, filler: Int = 0, freedAfter: Double? = nil)
    case fewDescriptors(Int)
    /// A secure server answers with these texts, by path without the slash.
    case secure([String: String])
    /// The state folder is not writable.
    case noState
}

/// One start of the program.
struct Run: Sendable {
    enum End: Sendable {
        case itself
        /// A signal once this many bytes are on disk.
        case signal(Int32, atBytes: Int64)
        /// The run goes on while the next one is started, once this many bytes are on disk.
        case keepsRunning(atBytes: Int64)
    }

    var end = End.itself
    /// Expected exit code of this run; `nil`: any. `Expected.codes` applies to the last run besides.
    var code: Int32?

    static let uninterrupted = Run()
    static func killed(_ bytes: Int64) -> Run { Run(end: .signal(9, atBytes: bytes)) }
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
    /// Seconds that the runs take at least.
    var seconds = 0.0
    var facts: [ServerFact] = []

    /// A complete file of the fault server as the only file in the folder.
    static func whole(_ name: String, _ size: Int64 = 64 << 10, of source: String? = nil, version: Int = 0) -> Expected
    {
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

    /// No request to that server has a field of this name with this text in its value; an empty text stands for any
    /// value.
    case never(Which, header: String, holding: String)
    case once(Which, header: String, holding: String)
    /// The server has sent at most this many responses of this status.
    case answers(Int, atMost: Int)
    /// The last GET asks for a part of the file.
    case lastAsksForPart
}

/// The path for which the fault server answers with exactly these bytes.
func raw(_ pieces: String...) -> String {
    "/raw?" + pieces.map { "bytes=" + percentEncoded($0) }.joined(separator: "&")
}

/// As it stands in a part of a URL, slashes encoded as well.
func percentEncoded(_ text: String) -> String { Percent.encoded(text, keepsSlashes: false) }

/// A file of the server that gives this Content-Disposition.
func disposed(_ value: String, size: String = "9") -> String {
    "/f/plain?size=\(size)&disposition=" + percentEncoded(value)
}

/// A header line as an option of the fault server.
func header(_ line: String) -> String { "header=" + percentEncoded(line) }

/// One trouble and what must come of it: a row of the table that `make faults` prints and CI runs.
///
/// Texts may hold `{server}`, `{other}` (a second origin), `{late}` (one that listens only after a while), `{closed}` (one that
/// never does), `{tls}`, `{home}` and `{got}` (the target folder); a URL that begins with a slash is the server's.
public struct FaultCase: Sendable {
    public enum Group: String, CaseIterable, Sendable {
        case framing, resume, retry, redirects, names, integrity, auth, batch, local, limits
    }

    public let group: Group
    public let title: String
    /// What the server, the disk or a person does, in a few words.
    public let trouble: String
    let urls: [String]
    let wishes: [Wish]
    /// A batch file's text instead of URLs on the command line.
    let batch: String?
    let before: [Thing]
    let terrain: Terrain
    let runs: [Run]
    let expected: Expected

    /// Names the case for `make faults ONLY=...` and in a failure.
    public var name: String { "\(group.rawValue): \(title)" }

    init(
        _ group: Group, _ title: String, _ trouble: String, _ urls: [String] = [], _ wishes: [Wish] = [],
        batch: String? = nil, before: [Thing] = [], on terrain: Terrain = .plain, runs: [Run] = [.toTheEnd],
        gives expected: Expected
    ) {
        self.group = group
        self.title = title
        self.trouble = trouble
        self.urls = urls
        self.wishes = wishes
        self.batch = batch
        self.before = before
        self.terrain = terrain
        self.runs = runs
        self.expected = expected
    }

    /// The whole table.
    public static let all: [FaultCase] =
        framing + lies + resume + swaps + retry + redirects + names + conflicts + integrity + auth + batches + local
        + limits
}

extension FaultCase: CustomStringConvertible {
    public var description: String { name }
}

/// What the person asks for besides the URLs; each tool says it in its own words, or cannot.
enum Wish: Sendable {
    case out(String)
    case login(String, String)
    case header(String)
    /// Algorithm as Winch writes it, and hexadecimal digits.
    case checksum(String, String)
    case maxRedirects(Int)
    case tries(Int)
    /// Seconds without bytes.
    case timeout(Double)
    /// Seconds for everything.
    case maxTime(Double)
    case netrc
    case cookies(String)
    case trust(String)
    case jobs(Int)
    case resumes
    /// What only Winch has.
    case own([String])

    static func winch(_ words: String...) -> Wish { .own(words) }
}

/// Something on disk before the first run, below the scratch folder.
enum Thing: Sendable {
    case file(String, String)
    case folder(String)
    case link(String, to: String)
}

/// Where it all happens.
enum Terrain: Sendable {
    case plain
    /// The target folder may not be written.
    case readOnly
    /// Files may not grow beyond so many KiB.
    case fileLimit(kibibytes: Int)
    /// The target folder is on a file system of this size.
    /// - Parameter filler: KiB taken up by something else, which goes away after `freedAfter` seconds.
    case smallDisk(kibibytes: Int, filler: Int = 0, freedAfter: Double? = nil)
    case fewDescriptors(Int)
    /// A secure server answers with these texts, by path without the slash.
    case secure([String: String])
    /// The folder for state may not be written.
    case noState
}

/// One start of the tool under test.
struct Run: Sendable {
    enum End: Sendable {
        case itself
        /// A signal once this many bytes are on disk.
        case signal(Int32, atBytes: Int64)
        /// The next run starts beside it, once this many bytes are on disk.
        case goesOn(atBytes: Int64)
    }

    var end = End.itself
    var wishes: [Wish] = []
    /// What this run, not being the last, ends with; `nil`: whatever.
    var code: Int32?

    static let toTheEnd = Run()
    static func killed(_ bytes: Int64) -> Run { Run(end: .signal(9, atBytes: bytes)) }
    static func with(_ wishes: Wish..., code: Int32? = nil) -> Run { Run(wishes: wishes, code: code) }
}

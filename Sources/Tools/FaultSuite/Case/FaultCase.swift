/// One fault and its expected result: a row of the table that `make faults` prints and CI runs.
///
/// Texts may hold `{server}`, `{other}` (a second origin), `{late}` (one that listens only after a while), `{closed}` (one that
/// never does), `{tls}`, `{home}` and `{got}` (the target folder); a URL that begins with a slash is the server's.
package struct FaultCase: Sendable {
    package enum Group: String, CaseIterable, Sendable {
        case framing, resume, retry, redirects, names, integrity, auth, batch, local, limits
    }

    package let group: Group
    package let title: String
    /// What the server, the disk or the user does, in a few words.
    package let scenario: String
    let urls: [String]
    let toolOptions: [ToolOption]
    /// A batch file's text instead of URLs on the command line.
    let batch: String?
    let before: [Fixture]
    let testEnvironment: TestEnvironment
    let runs: [Run]
    let expected: Expected

    /// Names the case for `make faults ONLY=...` and in a failure.
    package var name: String { "\(group.rawValue): \(title)" }

    init(
        _ group: Group, _ title: String, _ scenario: String, _ urls: [String] = [], _ toolOptions: [ToolOption] = [],
        batch: String? = nil, before: [Fixture] = [], on testEnvironment: TestEnvironment = .plain,
        runs: [Run] = [.uninterrupted],
        gives expected: Expected
    ) {
        self.group = group
        self.title = title
        self.scenario = scenario
        self.urls = urls
        self.toolOptions = toolOptions
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

/// What a case asks of the tool besides the URLs. A tool without an option for it is not tried.
enum ToolOption: Sendable {
    case out(String)
    case login(String, String)
    case header(String)
    /// Algorithm as Winch writes it, and hexadecimal digits.
    case checksum(String, String)
    case maxRedirects(Int)
    case tries(Int)
    /// Seconds without any bytes, after which the attempt fails.
    case timeout(Double)
    /// Seconds for a whole transfer.
    case maxTime(Double)
    case netrc
    case cookies(String)
    case trust(String)
    case jobs(Int)
    case resumes
    /// Arguments that only Winch has.
    case own([String])

    static func winch(_ words: String...) -> ToolOption { .own(words) }
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

/// One start of the tool under test.
struct Run: Sendable {
    enum End: Sendable {
        case itself
        /// A signal once this many bytes are on disk.
        case signal(Int32, atBytes: Int64)
        /// The run goes on while the next one is started, once this many bytes are on disk.
        case keepsRunning(atBytes: Int64)
    }

    var end = End.itself
    var toolOptions: [ToolOption] = []
    /// Expected exit code of this run; `nil`: any. `Expected.codes` applies to the last run besides.
    var code: Int32?

    static let uninterrupted = Run()
    static func killed(_ bytes: Int64) -> Run { Run(end: .signal(9, atBytes: bytes)) }
    static func with(_ toolOptions: ToolOption..., code: Int32? = nil) -> Run {
        Run(toolOptions: toolOptions, code: code)
    }
}

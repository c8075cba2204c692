import ArgumentParser
import WinchModel
import WinchSession
import WinchTerminal

/// `winch status`: what a session does.
struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "status", "Lists the transfers of a session: a line each, and the totals.",
        discussion: """
            Columns: number, state, percentage (bytes where the size is not known), size, rate, name; of a failed transfer \
            its reason follows. --json prints one object with "session", "queue" and "transfers"; "queue" has the fields of \
            a queue line of --output json. winch-protocol(7) is how a program follows a session.
            """)

    @Flag(help: "One JSON object.")
    var json = false

    @OptionGroup var state: StateFolderOption

    func run() throws {
        let access = try SessionAccess(state)
        let (link, greeting) = try access.open()
        var copy = QueueCopy()
        let reply = try link.request(SessionRequest(.status)) { copy.apply($0) }
        reply.reportUnsaved()
        if json {
            print(StatusJSON(copy, greeting, folder: access.place.folder).text)
        } else {
            for line in StatusLines(copy, isASCII: !OutputLocale.adoptsUTF8()).lines { print(line) }
        }
    }
}

/// `winch sessions`: the sessions that run.
struct SessionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "sessions", "Lists the sessions that run: name, process, transfers, folder.")

    @OptionGroup var state: StateFolderOption

    func run() throws {
        let usual = try state.unnamedFolder
        let named = StateFolderOption.sessionsFolder(in: usual)
        let names = FolderNames.all(in: named)
        var (hasAny, isComplete) = (false, true)
        let wanted = state.session.map { name in { $0 == name } } ?? { (_: String) in true }
        for (name, folder) in ([("", usual)] + names.sorted().map { ($0, "\(named)/\($0)") }).filter({ wanted($0.0) }) {
            let title = name.isEmpty ? "(default)" : name
            do throws(SessionFailure) {
                let (link, greeting) = try SessionAccess(folder: folder).open()
                let copy = try link.status()
                print(PlainText("\(title)  process \(greeting.pid)  \(StatusLines.counts(copy.totals))  \(folder)"))
            } catch {
                if error.isEndOfSession || error == .stopped { continue }
                // It may run: it has too many clients, or hangs, or its folder is not to be trusted.
                ErrorOutput.report("\(title): \(error.message)")
                isComplete = false
            }
            hasAny = true
        }
        if !hasAny {
            ErrorOutput.report("no session runs; \(StateCommands(options: state.arguments).line("serve")) starts one")
        }
        guard isComplete else { throw ExitCode(SessionAccess.unavailableCode) }
    }
}

struct StatusLines {
    let lines: [PlainText]

    init(_ copy: QueueCopy, isASCII: Bool) {
        var rows: [[String]] = []
        copy.visit { row, _ in
            let row = copy[row.id] ?? row
            rows.append([
                "\(row.id.number)", Self.state(row), Self.done(row),
                row.size.known.map { NumberFormat.bytes($0) } ?? "-", row.rate.map { NumberFormat.rate($0) } ?? "-",
                row.path + Self.reason(row),
            ])
        }
        if !rows.isEmpty { rows.insert(Self.header, at: 0) }
        let widths = (0..<5).map { column in rows.map { $0[column].count }.max() ?? 0 }
        let table = rows.map { row in
            zip(row, widths).enumerated().map { index, cell in
                let padding = String(repeating: " ", count: cell.1 - cell.0.count)
                // Numbers stand at the right, words at the left.
                return index == 1 ? cell.0 + padding : padding + cell.0
            }.joined(separator: "  ") + "  " + row[5]
        }
        lines = (table + [Self.total(copy.totals)]).map { PlainText($0, isASCII: isASCII) }
    }

    private static let header = ["id", "state", "done", "size", "rate", "name"]

    /// Of a file whose size is not known, the bytes.
    private static func done(_ row: TransferSnapshot) -> String {
        row.percent.map { "\($0)%" } ?? (row.have > .zero ? NumberFormat.bytes(row.have) : "-")
    }

    private static func state(_ row: TransferSnapshot) -> String {
        switch row.phase {
        case .waiting(.held): "held"
        case .waiting(.space): "no space"
        case .waiting: "waiting"
        case .connecting, .requested: "connecting"
        case .moving: row.stalledSince == nil ? (row.direction == .up ? "uploading" : "downloading") : "stalled"
        case .paused: "paused"
        case .backoff: "retrying"
        case .replying: "replying"
        case .verifying: "verifying"
        case .finished: "done"
        case .failed: "failed"
        case .cancelled: "cancelled"
        }
    }

    private static func reason(_ row: TransferSnapshot) -> String {
        switch row.phase {
        case .failed(let failure), .backoff(_, _, _, let failure): ": \(failure.message)"
        default: ""
        }
    }

    /// `2 of 5 done, 1 failed`.
    ///
    /// - Parameter asking: how many of the failed ones only wait for an answer of the user.
    static func counts(_ totals: QueueTotals, asking: Int = 0) -> String {
        var parts = ["\(NumberFormat.count(totals.finished)) of \(NumberFormat.count(totals.count)) done"]
        let failed = max(0, totals.failed - asking)
        if failed > 0 { parts.append("\(NumberFormat.count(failed)) failed") }
        if asking > 0 {
            parts.append("\(NumberFormat.count(asking)) \(asking == 1 ? "waits" : "wait") for your answer")
        }
        if totals.cancelled > 0 { parts.append("\(NumberFormat.count(totals.cancelled)) cancelled") }
        return parts.joined(separator: ", ")
    }

    private static func total(_ totals: QueueTotals) -> String {
        guard totals.count > 0 else { return "no transfers" }
        var parts = [counts(totals)]
        if !totals.allSettled { parts.append(totals.percentWords) }
        if totals.active > 0 { parts.append("\(totals.active) active") }
        if totals.waiting > 0 { parts.append("\(NumberFormat.count(totals.waiting)) waiting") }
        if totals.backoff > 0 { parts.append("\(NumberFormat.count(totals.backoff)) retrying") }
        if totals.finishing > 0 { parts.append("\(NumberFormat.count(totals.finishing)) being finished") }
        if totals.paused > 0 { parts.append("\(NumberFormat.count(totals.paused)) paused") }
        if let limit = totals.rateLimit { parts.append("limit \(NumberFormat.rate(limit))") }
        if let rate = totals.rate { parts.append(NumberFormat.rate(rate)) }
        return parts.joined(separator: ", ")
    }
}

/// The object of `winch status --json`, in one line.
struct StatusJSON {
    let text: String

    /// - Parameters:
    ///   - copy: the session's queue, with moments of the clock of this process.
    ///   - folder: the state folder of the session.
    init(_ copy: QueueCopy, _ greeting: Greeting, folder: String) {
        var session = JSONLine()
        session.set("folder", folder)
        session.set("name", greeting.session)
        session.set("pid", Int(greeting.pid))
        session.set("winch", greeting.winch)
        let now = MonotonicClock().now()
        var rows: [JSONLine] = []
        copy.visit { row, _ in
            var line = JSONLine()
            line.set(copy[row.id] ?? row, at: now)
            rows.append(line)
        }
        var queue = JSONLine()
        queue.set(copy.totals, at: now)
        queue.set("rateLimit", copy.totals.rateLimit?.perSecond, digits: 0)
        queue.set("uploadLimit", copy.totals.uploadLimit?.perSecond, digits: 0)
        queue.set("held", copy.totals.isHeld)
        var line = JSONLine()
        line.set("session", session)
        line.set("queue", queue)
        line.set("transfers", rows)
        text = line.text
    }
}

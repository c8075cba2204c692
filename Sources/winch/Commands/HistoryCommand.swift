import ArgumentParser
import WinchLedger
import WinchModel
import WinchScreen
import WinchTerminal

/// `winch history [TEXT ...]`: past downloads, newest first.
struct HistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "history", "Lists past downloads, newest first.",
        usage: "winch history [TEXT ...] [options]",
        discussion: """
            Each TEXT must be in the name, the URL or the folder. Piped, fields are separated by TABs: time, outcome \
            (finished, uploaded, existing, skipped, failed, cancelled), bytes, seconds, name, folder, URL, reason. The newest \(Ledger.historyLength) transfers are kept.
            """)

    @Argument(help: .helpText("Part of a name, a URL or a folder.", "TEXT"))
    var words: [String] = []

    @Flag(help: "Failed downloads only.")
    var failed = false

    @Flag(help: "Transfer the failed ones again that match, of the last 30 days, and nothing else.")
    var retry = false

    @Option(
        help: .helpText("Not older than this: 7d, 12h, 2026-11-21 or '2026-11-21 18:30'.", "DATE"),
        transform: OptionValueParsing.since)
    var since: UnixTime?

    @Option(
        help: .helpText("Number of downloads to list.", "N", default: "\(Self.screenful) on a terminal, else all"),
        transform: OptionValueParsing.atLeastOne)
    var limit: Int?

    @Flag(help: "One JSON object per line.")
    var json = false

    @OptionGroup var state: StateFolderOption

    /// The default of `--limit` on a terminal. The newest entries are printed first, so a longer list would scroll them away.
    private static let screenful = 100

    func validate() throws {
        guard !retry || !json && limit == nil else {
            throw ValidationError("--retry lists nothing, so it goes without --json and --limit")
        }
    }

    func run() throws {
        let size = json ? nil : ScreenSize.ofStandardOutput
        let limit = limit ?? (size == nil ? nil : Self.screenful)
        var query = HistoryQuery(words: words, isFailedOnly: failed || retry, since: since)
        if retry {
            Main.begin(state.arguments) { try DownloadRun(sources: $0, ending: $1, retrying: query).run() }
        }
        // One entry more than shown, to know whether there are more.
        query.limit = limit.map { $0 == .max ? $0 : $0 + 1 }
        let found = try Ledger.history(stateFolder: state.chosenFolder, query)
        let shown = limit.map { Array(found.prefix($0)) } ?? found
        let isASCII = !OutputLocale.adoptsUTF8()
        if json {
            for entry in shown { print(entry.json) }
        } else if let size {
            for line in HistoryLines(shown, columns: size.columns, isASCII: isASCII).lines { print(line) }
        } else {
            for entry in shown { print(entry.fields) }
        }
        if shown.isEmpty {
            ErrorOutput.report(words.isEmpty && !failed && since == nil ? "History is empty" : "nothing found")
        }
        if shown.count < found.count { ErrorOutput.report("the newest \(shown.count); --limit shows more") }
    }
}

/// An entry of the history as `winch history` prints it for programs: fields separated by TABs, or JSON.
extension HistoryEntry {
    var word: String {
        switch outcome {
        case .finished(.saved): "finished"
        case .finished(.sent): "uploaded"
        case .finished(.alreadyComplete): "existing"
        case .finished(.skipped): "skipped"
        case .finished(.listed): "listed"
        case .failed: "failed"
        case .cancelled, .unfinished, .paused: "cancelled"
        }
    }

    var failure: TransferFailure? { if case .failed(let failure) = outcome { failure } else { nil } }

    var reason: String { failure?.message ?? "" }

    /// The fields separated by TABs, for other programs. `PlainText` removes TABs and line ends from the fields.
    var fields: String {
        [
            settledAt.localText, word, size.map { "\($0.bytes)" } ?? "",
            duration.map { "\($0.components.seconds)" } ?? "", name, folder, url, reason,
        ].map { PlainText($0).description }.joined(separator: "\t")
    }

    /// One JSON object; names as in the events of `--output json`.
    var json: String {
        var line = JSONLine()
        let outcomeName = if case .finished(let finished) = outcome { finished.word } else { outcome.word }
        line.set("time", Double(settledAt.milliseconds) / 1000, digits: 3)
        line.set("outcome", outcomeName)
        line.set("name", name)
        line.set("folder", folder)
        line.set("url", url)
        line.set("size", size?.bytes)
        line.set("downloaded", received.bytes)
        line.set("seconds", duration?.seconds, digits: 3)
        if let failure { line.set(failure) }
        return line.text
    }
}

/// Formats the history as a table that fits the width of a terminal. Below the line of an entry its URL and folder
/// stand uncut, so that they can be copied; the terminal wraps them.
struct HistoryLines {
    let lines: [String]

    init(_ entries: [HistoryEntry], columns: Int, isASCII: Bool) {
        guard !entries.isEmpty else {
            lines = []
            return
        }
        let names = entries.map { SafeText($0.name, isASCII: isASCII).columns }
        let layout = Layout(columns: columns, names: names, isASCII: isASCII)
        let head = layout.line(
            when: "when", outcome: "outcome", size: "size", took: "took", name: "name", rest: "reason")
        lines = [head] + entries.flatMap { layout.lines($0) }
    }

    /// The columns that fit, and the widths of the variable ones.
    private struct Layout {
        private let columns: Int
        private let isASCII: Bool
        private let hasFigures: Bool
        private let name: Int
        /// The width of the last column; 0: it does not fit.
        private let rest: Int

        /// The widths of a date, the longest outcome, a size, a duration, and the gap between columns.
        private static let (when, outcome, size, took, gap) = (16, 9, 8, 9, 2)
        /// The least width of a name or a URL: shorter ones are not recognisable.
        private static let shortest = 20

        init(columns: Int, names: [Int], isASCII: Bool) {
            (self.columns, self.isASCII) = (columns, isASCII)
            let bare = Self.when + Self.outcome + 2 * Self.gap
            let figures = Self.size + Self.took + 2 * Self.gap
            hasFigures = columns - bare - figures >= Self.shortest
            let left = max(1, columns - bare - (hasFigures ? figures : 0))
            guard left >= 2 * Self.shortest + Self.gap else {
                (name, rest) = (left, 0)
                return
            }
            let widest = max(names.max() ?? 0, "name".count)
            name = min(widest, max(Self.shortest, left / 2))
            rest = left - name - Self.gap
        }

        func lines(_ entry: HistoryEntry) -> [String] {
            let reason = SafeText(entry.reason, isASCII: isASCII)
            let first = line(
                when: entry.settledAt.localText, outcome: entry.word,
                size: entry.size.map(NumberFormat.bytes) ?? "", took: entry.duration.map(DurationFormat.text) ?? "",
                name: entry.name, rest: reason.columns > rest ? "" : entry.reason)
            let url = TransferURL.withoutSecrets(entry.url)
            let folder = entry.folder.isEmpty ? "" : "  in \(entry.folder)"
            let place = PlainText(url + folder, isASCII: isASCII).description
            let below = reason.columns > rest ? [PlainText(entry.reason, isASCII: isASCII).description] : []
            return [first] + (below + [place]).map { String(repeating: " ", count: Self.gap) + $0 }
        }

        func line(
            when: String, outcome: String, size: String, took: String, name: String, rest: String
        ) -> String {
            func safe(_ text: String) -> SafeText { SafeText(text, isASCII: isASCII) }
            var cells = [safe(when).filled(to: Self.when), safe(outcome).filled(to: Self.outcome)]
            if hasFigures {
                cells.append(safe(size).filled(to: Self.size, isRight: true))
                cells.append(safe(took).filled(to: Self.took, isRight: true))
            }
            cells.append(safe(name).filled(to: self.name, keepsExtension: true))
            if self.rest > 0 { cells.append(safe(rest).cut(to: self.rest)) }
            let line = cells.joined(separator: String(repeating: " ", count: Self.gap))
            let end = line.lastIndex { $0 != " " }
            // On a very narrow terminal the line, which begins with the date, is cut.
            return SafeText(end.map { line[...$0] } ?? "", isASCII: isASCII).cut(to: columns)
        }
    }
}

extension UnixTime {
    /// In the user's time zone: `2026-11-21 18:30`; empty when the time cannot be represented.
    var localText: String { text("%Y-%m-%d %H:%M", isLocal: true) }
}

import WinchLedger
import WinchModel
import WinchScreen
import WinchTerminal

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

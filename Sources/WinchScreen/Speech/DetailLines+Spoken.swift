import WinchModel

extension Dashboard {
    /// The details of a row as sentences, without what its own sentence tells, the response's headers, and pictures.
    func spoken(_ details: TransferDetails, of row: TransferSnapshot, now: Moment) -> [String] {
        var written = details
        written.facts?.headers = []
        written.seconds = []
        let lines = DetailLines(
            row: row, details: written, look: look, wallClock: wallClock, now: now, width: Self.spokenWidth)
        return lines.sentences(of: details) + lines.sentences
    }

    /// Wide enough for any value in one line.
    private static let spokenWidth = 4000
}

extension DetailLines {
    /// The open connections, and why there are not more.
    fileprivate func sentences(of details: TransferDetails) -> [String] {
        guard !details.connections.isEmpty else { return [] }
        let words = ConnectionWords.counted(details.connections.count, reason: details.connectionReason)
        return [words + "."]
            + details.connections.map { connection in
                let facts = [
                    range(of: connection), rate(of: connection), "from \(connection.host)",
                    "open for \(DurationFormat.text(now - connection.began))",
                ]
                return "Connection \(connection.number): \(facts.filter { !$0.isEmpty }.joined(separator: ", "))."
            }
    }

    /// The lines of the panel, the values of one field together. What comes before the first blank line tells the row's name
    /// and state, except for the fields.
    fileprivate var sentences: [String] {
        var sentences: [String] = []
        var isAboutRow = true
        for line in all {
            switch line {
            case .blank: isAboutRow = false
            case .heading, .cells, .graph: break
            case .runs(let runs): if !isAboutRow { sentences.append(Self.text(runs)) }
            case .field("", let runs):
                let begun = sentences.popLast().map { $0 + " " } ?? ""
                sentences.append(begun + Self.text(runs))
            case .field(let label, let runs):
                sentences.append("\(label.drop { $0 == " " }): \(Self.text(runs))")
            }
        }
        return sentences.map { $0 + "." }
    }

    private static func text(_ runs: [Run]) -> String {
        String(runs.flatMap { $0.text.glyphs.map(\.character) }).split(separator: " ").joined(separator: " ")
    }
}

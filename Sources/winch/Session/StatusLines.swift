import WinchModel
import WinchTerminal

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

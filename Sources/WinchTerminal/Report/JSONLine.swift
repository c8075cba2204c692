package import WinchModel

/// One JSON object in one line, built field by field in the given order.
///
/// - Source: RFC 8259.
package struct JSONLine {
    private var fields: [String] = []

    package init() {}

    /// The object as text, without a line end.
    package var text: String { "{" + fields.joined(separator: ",") + "}" }

    package mutating func set(_ name: String, _ value: String?) {
        append(name, value.map(Self.quoted) ?? "null")
    }

    package mutating func set(_ name: String, _ value: Int64?) {
        append(name, value.map { "\($0)" } ?? "null")
    }

    package mutating func set(_ name: String, _ value: Int) {
        append(name, "\(value)")
    }

    package mutating func set(_ name: String, _ value: Bool) {
        append(name, value ? "true" : "false")
    }

    /// A number with at most `digits` decimal places; `null` for `nil`, NaN, infinity and numbers that are too large.
    package mutating func set(_ name: String, _ value: Double?, digits: Int) {
        append(name, value.flatMap { Self.fixed($0, digits: digits) } ?? "null")
    }

    package mutating func set(_ name: String, _ object: JSONLine) {
        append(name, object.text)
    }

    package mutating func set(_ name: String, _ objects: [JSONLine]) {
        append(name, "[" + objects.map(\.text).joined(separator: ",") + "]")
    }

    private mutating func append(_ name: String, _ value: String) {
        fields.append(Self.quoted(name) + ":" + value)
    }

    static func fixed(_ value: Double, digits: Int) -> String? {
        let scale = (0..<digits).reduce(Int64(1)) { scale, _ in scale * 10 }
        guard let scaled = Int64(exactly: (value * Double(scale)).rounded()) else { return nil }
        let (whole, part) = scaled.magnitude.quotientAndRemainder(dividingBy: UInt64(scale))
        let places = String(part)
        let sign = scaled < 0 ? "-" : ""
        guard digits > 0, part > 0 else { return "\(sign)\(whole)" }
        return "\(sign)\(whole)." + String(repeating: "0", count: digits - places.count) + places
    }

    /// The text as a JSON string. Characters that should not reach a terminal are written as `\uXXXX`: programs read
    /// the same text, and a terminal that shows the line is not affected.
    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case "\r": result += "\\r"
            default: append(scalar, to: &result)
            }
        }
        return result + "\""
    }

    private static func append(_ scalar: Unicode.Scalar, to text: inout String) {
        guard !PlainText.isShowable(scalar) else { return text.unicodeScalars.append(scalar) }
        for unit in scalar.utf16 { text += "\\u" + Hex.encoded([UInt8(unit >> 8), UInt8(unit & 0xFF)]) }
    }
}

extension JSONLine {
    /// The fields of a transfer, with the names and units of the events of `--output json`.
    ///
    /// - Parameter now: on the clock of the row; `eta` and `wait` count from it.
    package mutating func set(_ row: TransferSnapshot, at now: Moment) {
        set("id", row.id.number)
        set("name", row.name)
        set("direction", row.direction.rawValue)
        set("host", row.host)
        set("url", row.url)
        if row.direction != .up || !row.localFolder.isEmpty { set("folder", row.folder) }
        let state = row.phase.state
        set("state", state == .backoff ? "retrying" : state.rawValue)
        if let found = row.found {
            set("listing", true)
            set(found)
        }
        set("have", row.have.bytes)
        set("size", row.size.known?.bytes)
        set("percent", row.percent.map(Int64.init))
        set("rate", row.rate?.perSecond, digits: 0)
        set("eta", row.finish.map { max(0, ($0 - now).seconds) }, digits: 1)
        switch row.phase {
        case .backoff(let until, let attempt, _, let failure):
            set("wait", max(0, (until - now).seconds), digits: 3)
            set("attempt", attempt)
            set(failure)
        case .failed(let failure): set(failure)
        case .finished(let outcome): set(outcome, of: row)
        default: break
        }
    }

    /// The message for the user, the exit code (numbered as aria2's), and the HTTP status if that was the reason.
    package mutating func set(_ failure: TransferFailure, keepsPart: Bool = true) {
        set("reason", failure.message(keepsPart: keepsPart))
        set("code", Int(failure.exitCode))
        if let status = failure.httpStatus { set("status", status) }
    }

    /// How a transfer finished, and the warning about its file. Only what is downloaded has a path, and a Metalink is not saved.
    mutating func set(_ outcome: TransferPhase.Outcome, of row: TransferSnapshot?) {
        set("outcome", outcome.word)
        switch outcome {
        case .saved(let path), .skipped(let path), .alreadyComplete(let path):
            if row?.direction != .up { set("path", path) }
        case .listed(let path, let found):
            if path.utf8.last == UInt8(ascii: "/") { set(found) } else { set("files", found.files) }
        case .sent: break
        }
        if let warning = row?.warning { set(warning.kind, warning.message) }
    }

    /// What the listing of a folder has found.
    private mutating func set(_ found: Found) {
        set("files", found.files)
        set("folders", found.folders)
        set("unchanged", found.unchanged)
        set("refused", found.refused)
    }

    /// The fields of the queue, as in the `queue` lines of `--output json`.
    ///
    /// - Parameter now: on the clock of the totals; `eta` counts from it.
    package mutating func set(_ totals: QueueTotals, at now: Moment) {
        set("mode", totals.mode.rawValue)
        set("completed", totals.completed)
        set("total", totals.total)
        set("fraction", Self.floored(totals.fraction), digits: 6)
        set("percent", totals.percent.map(Int64.init))
        set("estimated", totals.isEstimated)
        if let uploads = totals.uploads {
            var up = JSONLine()
            up.set("completed", uploads.completed)
            up.set("total", uploads.total)
            up.set("fraction", Self.floored(uploads.fraction), digits: 6)
            set("up", up)
        }
        if let listings = totals.listings {
            var counts = JSONLine()
            counts.set("open", listings.open)
            counts.set("done", listings.done)
            counts.set("failed", listings.failed)
            set("listings", counts)
        }
        set("count", totals.count)
        set("finished", totals.finished)
        set("failed", totals.failed)
        set("cancelled", totals.cancelled)
        set("waiting", totals.waiting)
        set("active", totals.active)
        set("finishing", totals.finishing)
        set("paused", totals.paused)
        set("retrying", totals.backoff)
        set("rate", totals.rate?.perSecond, digits: 0)
        set("eta", totals.finish.map { max(0, ($0 - now).seconds) }, digits: 1)
    }

    /// Rounded down to millionths: 1 is reported only when all transfers are settled.
    private static func floored(_ fraction: Double) -> Double {
        fraction < 1 ? min((fraction * 1e6).rounded(.down) / 1e6, 0.999_999) : fraction
    }
}

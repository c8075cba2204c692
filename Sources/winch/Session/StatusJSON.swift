import WinchModel
import WinchSession
import WinchTerminal
import WinchTransport

/// The object of `winch status --json`, in one line.
struct StatusJSON {
    let text: String

    /// - Parameters:
    ///   - mirror: the session's queue, with moments of the clock of this process.
    ///   - folder: the state folder of the session.
    init(_ mirror: QueueCopy, _ greeting: Greeting, folder: String) {
        var session = JSONLine()
        session.set("folder", folder)
        session.set("name", greeting.session)
        session.set("pid", Int(greeting.pid))
        session.set("winch", greeting.winch)
        let now = MonotonicClock().now()
        var rows: [JSONLine] = []
        mirror.visit { row, _ in rows.append(Self.line(mirror[row.id] ?? row, at: now)) }
        var queue = JSONLine()
        queue.set(mirror.totals, at: now)
        queue.set("rateLimit", mirror.totals.rateLimit?.perSecond, digits: 0)
        queue.set("uploadLimit", mirror.totals.uploadLimit?.perSecond, digits: 0)
        queue.set("held", mirror.totals.isHeld)
        var line = JSONLine()
        line.set("session", session)
        line.set("queue", queue)
        line.set("transfers", rows)
        text = line.text
    }

    /// Names and units as in the events of `--output json`.
    private static func line(_ row: TransferSnapshot, at now: Moment) -> JSONLine {
        var line = JSONLine()
        line.set("id", row.id.number)
        line.set("name", row.name)
        line.set("direction", row.direction.rawValue)
        line.set("host", row.host)
        line.set("url", row.url)
        if row.direction != .up { line.set("folder", row.folder) }
        let state = row.phase.state
        line.set("state", state == .backoff ? "retrying" : state.rawValue)
        line.set("have", row.have.bytes)
        line.set("size", row.size.known?.bytes)
        line.set("percent", row.percent.map(Int64.init))
        line.set("rate", row.rate?.perSecond, digits: 0)
        line.set("eta", row.finish.map { max(0, ($0 - now).seconds) }, digits: 1)
        switch row.phase {
        case .backoff(let until, let attempt, _, let failure):
            line.set("wait", max(0, (until - now).seconds), digits: 3)
            line.set("attempt", attempt)
            failure.setDetails(&line)
        case .failed(let failure): failure.setDetails(&line)
        case .finished(let outcome):
            line.set("outcome", outcome.word)
            if row.direction != .up, let path = outcome.savedPath { line.set("path", path) }
            if let files = outcome.files { line.set("files", files) }
            if let warning = row.warning { line.set(warning.kind, warning.message) }
        default: break
        }
        return line
    }
}

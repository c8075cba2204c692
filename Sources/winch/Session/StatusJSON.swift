import WinchModel
import WinchSession
import WinchTerminal

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
        mirror.visit { row, _ in
            var line = JSONLine()
            line.set(mirror[row.id] ?? row, at: now)
            rows.append(line)
        }
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
}

import WinchModel
import WinchSession
import WinchTerminal

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

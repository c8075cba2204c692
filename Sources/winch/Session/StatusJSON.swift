import FoundationEssentials
import WinchModel
import WinchSession
import WinchTerminal
import WinchTransport

/// The object of `winch status --json`, in one line.
struct StatusJSON {
    let text: String

    private struct Session: Encodable {
        var name: String
        var pid: Int32
        var winch: String
        var folder: String
    }

    /// - Parameters:
    ///   - mirror: the session's queue, with moments of the clock of this process.
    ///   - folder: the state folder of the session.
    init(_ mirror: QueueCopy, _ greeting: Greeting, folder: String) {
        let session = Session(name: greeting.session, pid: greeting.pid, winch: greeting.winch, folder: folder)
        var rows: [RowMessage] = []
        mirror.visit { row, _ in rows.append(RowMessage(row)) }
        var queue = JSONLine()
        queue.set(mirror.totals, at: MonotonicClock().now())
        queue.set("rateLimit", mirror.totals.rateLimit?.perSecond, digits: 0)
        queue.set("uploadLimit", mirror.totals.uploadLimit?.perSecond, digits: 0)
        queue.set("held", mirror.totals.isHeld)
        var line = JSONLine()
        line.set("session", encoded: Self.encoded(session))
        line.set("queue", queue)
        line.set("transfers", encoded: Self.encoded(rows))
        text = line.text
    }

    /// `null` for what cannot be encoded; numbers that are not finite are the only case, and no field holds them.
    private static func encoded(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
    }
}

import ArgumentParser
import FoundationEssentials
import WinchModel
import WinchSession
import WinchTerminal

/// `winch status`: what a session does.
struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", _superCommandName: "winch",
        abstract: "Lists the transfers of a session: a line each, and the totals.",
        discussion: """
            Columns: number, state, percentage, size, rate, name; of a failed transfer its reason follows. --json prints one \
            object with "session", "queue" and "transfers".
            """)

    @Flag(help: "One JSON object.")
    var json = false

    @OptionGroup var state: StateFolderOption

    /// The object of `--json`.
    private struct Report: Encodable {
        struct Session: Encodable {
            var name: String
            var pid: Int32
            var winch: String
            var folder: String
        }

        var session: Session
        var queue: QueueTotals
        var transfers: [RowMessage]
    }

    func run() throws {
        let access = try SessionAccess(state)
        do throws(SessionFault) {
            let (link, greeting) = try access.open()
            let mirror = try link.status()
            if json {
                var rows: [RowMessage] = []
                mirror.visit { row, _ in rows.append(RowMessage(row)) }
                let report = Report(
                    session: Report.Session(
                        name: greeting.session, pid: greeting.pid, winch: greeting.winch, folder: access.place.folder),
                    queue: mirror.totals, transfers: rows)
                let encoder = JSONEncoder()
                encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
                if let data = try? encoder.encode(report) { print(String(decoding: data, as: UTF8.self)) }
            } else {
                for line in StatusLines(mirror, isASCII: !OutputLocale.adoptsUTF8()).lines { print(line) }
            }
        } catch {
            throw SessionAccess.failure(error)
        }
    }
}

/// `winch sessions`: the sessions that run.
struct SessionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sessions", _superCommandName: "winch",
        abstract: "Lists the sessions that run: name, process, transfers, folder.")

    @OptionGroup var state: StateFolderOption

    func run() throws {
        let usual = try SessionAccess(state).place.folder
        let named = StateFolderOption.sessionsFolder(in: usual)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: named)) ?? []
        var hasAny = false
        for (name, folder) in [("", usual)] + names.sorted().map({ ($0, "\(named)/\($0)") }) {
            guard let (link, greeting) = try? SessionAccess(folder: folder).open(), let mirror = try? link.status()
            else {
                continue
            }
            hasAny = true
            let totals = mirror.totals
            print(
                PlainText(
                    "\(name.isEmpty ? "(default)" : name)  process \(greeting.pid)  \(totals.settled) of \(totals.count) done  \(folder)"
                ))
        }
        if !hasAny { ErrorOutput.report("no session runs; winch serve starts one") }
    }
}

import ArgumentParser
import WinchModel
import WinchSession
import WinchTerminal

/// `winch status`: what a session does.
struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "status", "Lists the transfers of a session: a line each, and the totals.",
        discussion: """
            Columns: number, state, percentage (bytes where the size is not known), size, rate, name; of a failed transfer \
            its reason follows. --json prints one object with "session", "queue" and "transfers"; "queue" has the fields of \
            a queue line of --output json. winch-protocol(7) is how a program follows a session.
            """)

    @Flag(help: "One JSON object.")
    var json = false

    @OptionGroup var state: StateFolderOption

    func run() throws {
        let access = try SessionAccess(state)
        let (link, greeting) = try access.open()
        var copy = QueueCopy()
        let reply = try link.request(SessionRequest(.status)) { copy.apply($0) }
        reply.reportUnsaved()
        if json {
            print(StatusJSON(copy, greeting, folder: access.place.folder).text)
        } else {
            for line in StatusLines(copy, isASCII: !OutputLocale.adoptsUTF8()).lines { print(line) }
        }
    }
}

/// `winch sessions`: the sessions that run.
struct SessionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "sessions", "Lists the sessions that run: name, process, transfers, folder.")

    @OptionGroup var state: StateFolderOption

    func run() throws {
        let usual = try state.unnamedFolder
        let named = StateFolderOption.sessionsFolder(in: usual)
        let names = FolderNames.all(in: named)
        var (hasAny, isComplete) = (false, true)
        let wanted = state.session.map { name in { $0 == name } } ?? { (_: String) in true }
        for (name, folder) in ([("", usual)] + names.sorted().map { ($0, "\(named)/\($0)") }).filter({ wanted($0.0) }) {
            let title = name.isEmpty ? "(default)" : name
            do throws(SessionFailure) {
                let (link, greeting) = try SessionAccess(folder: folder).open()
                let copy = try link.status()
                print(PlainText("\(title)  process \(greeting.pid)  \(StatusLines.counts(copy.totals))  \(folder)"))
            } catch {
                if error.isEndOfSession || error == .stopped { continue }
                // It may run: it has too many clients, or hangs, or its folder is not to be trusted.
                ErrorOutput.report("\(title): \(error.message)")
                isComplete = false
            }
            hasAny = true
        }
        if !hasAny {
            ErrorOutput.report("no session runs; \(StateCommands(options: state.arguments).line("serve")) starts one")
        }
        guard isComplete else { throw ExitCode(SessionAccess.unavailableCode) }
    }
}

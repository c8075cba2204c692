import WinchBatch
import WinchSession
import WinchTerminal

/// The session of a run's state folder, in another process: it may run beside the run, and takes over what the run leaves.
struct SessionBesideRun {
    let sources: SettingSources

    var notice: String { "a session is running; this run is not part of it; \(attach) shows the session" }

    private var command: WinchCommand { sources.command }
    private var attach: String { StateCommands(sources).line("attach") }
    private var folder: String { command.keeping.place.folder }

    var isRunning: Bool { (try? SessionSocket(folder: folder).connect()) != nil }

    /// After the ledger is closed: the session that runs takes the transfers over, else a new one begins with them.
    ///
    /// - Returns: the exit code.
    func handOver() throws -> Int32 {
        if takesOver() { return 0 }
        let options =
            command.keeping.place.arguments + command.config.arguments + command.log.arguments + unstoredArguments
        let pid = try BackgroundSession(folder: folder).start(options)
        ErrorOutput.report("the transfers go on in the background (process \(pid)); \(attach) shows them")
        return 0
    }

    /// The options of the run that do not go with its transfers, as in a sentence; empty: there are none. A session that runs
    /// has its own; a new one begins with those of the run, but for a notification on a terminal.
    ///
    /// - Parameter stored: those of the run that the ledger keeps, as they are now.
    func optionsLeft(of stored: [NameValueLine]) -> String {
        let ofRun: Set = ["on-settled", "max-command-time", "log"]
        let names = OptionTable.ofWinch.options.filter { $0.section == "Queue" || ofRun.contains($0.name) }.map(\.name)
        let left = (isRunning ? names : []) + (command.frontEnd.notify == .off ? [] : ["notify"])
        return StoredRunOptions.words(
            ofLeft: left.flatMap { name -> [NameValueLine] in
                let known = stored.filter { $0.name == name }
                return known.isEmpty ? own(name) : known
            })
    }

    /// The options of the whole run that the ledger does not keep for the session that begins.
    private var unstoredArguments: [String] {
        ["progress", "fail-fast", "space-wait"].flatMap(own).map { option in
            switch option.value {
            case "yes": "--\(option.name)"
            case "no": "--no-\(option.name)"
            default: "--\(option.name)=\(option.value)"
            }
        }
    }

    /// - Returns: the option if it was given for this run; else none.
    private func own(_ name: String) -> [NameValueLine] {
        sources.ownValue(of: name).map { [NameValueLine(name: name, value: $0)] } ?? []
    }

    /// - Returns: false: none runs, or it cannot take anything over.
    func takesOver() -> Bool {
        do throws(SessionFailure) {
            let access = SessionAccess(folder: folder)
            let reply = try access.open(patience: SessionAccess.longPatience).link.request(
                SessionRequest(.takeOver), patience: SessionAccess.longPatience)
            for words in reply.problems ?? [] { ErrorOutput.report(words) }
            if let words = reply.words {
                ErrorOutput.report("the session goes on with \(words); \(attach) shows it")
            }
            return true
        } catch {
            if error != .notRunning(folder: folder) { ErrorOutput.report(error.message) }
            return false
        }
    }
}

extension RunStart {
    var reasonAgainHandOver: String? {
        guard let past else { return "The run is still starting; press & again in a moment" }
        return past.isKept ? nil : "This run is not saved, so it cannot go on in the background"
    }
}

import WinchSession

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
        let options = command.keeping.place.arguments + command.config.arguments + command.log.arguments
        let pid = try BackgroundSession(folder: folder).start(options)
        ErrorOutput.report("the transfers go on in the background (process \(pid)); \(attach) shows them")
        return 0
    }

    /// - Returns: false: none runs, or it cannot take anything over.
    func takesOver() -> Bool {
        do throws(SessionFailure) {
            let access = SessionAccess(folder: folder)
            let reply = try access.open(patience: SessionAccess.longPatience).link.request(
                SessionRequest(.takeOver), patience: SessionAccess.longPatience)
            for words in reply.problems ?? [] { ErrorOutput.report("error: \(words)") }
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

import ArgumentParser
import WinchModel
import WinchQueue
import WinchSession
import WinchTerminal

/// `winch add`: gives the entries of the command line and its batches to the session, which is started if none runs.
struct AddRun {
    let sources: SettingSources

    private var command: WinchCommand { sources.command }

    func run() throws -> Int32 {
        try sources.refuse(.ofAddition)
        try command.refuseOptionsOfOthers()
        try sources.refuseOptionsOfOtherEntries()
        try command.refuseStandardOutput()
        guard !command.folder.recursive || command.target.sums.isEmpty else {
            throw ValidationError(
                "--sums of winch add names files that are known when they are added, not those of a folder (-r): "
                    + "give it to winch serve")
        }
        var batches = try BatchFiles(sources)
        batches.read()
        let sums = try ChecksumListFiles(command.target.sums, settings: command.transferSettings, for: batches.specs)
        for problem in sources.problems + batches.problems + sums.problems { ErrorOutput.report(problem) }
        for notice in batches.notices { ErrorOutput.report(notice) }
        if batches.isShardEmpty { return batches.hasErrors ? 1 : 0 }
        let specs = sums.demanded(of: batches.takeSpecs())
        guard !specs.isEmpty else { throw batches.hasErrors ? ExitCode(RunSummary.usageCode) : command.nothingToFetch }
        guard !specs.contains(where: { $0.upload?.content == .standardInput }) else {
            throw ValidationError("a session has no standard input: give it a file, or run winch put - URL")
        }
        if let fault = sums.fault(of: specs, undone: "nothing was added; \(ChecksumListFiles.ofSessions)") {
            ErrorOutput.report(fault)
            throw ExitCode(RunSummary.checksumCode)
        }
        if let notice = sums.notice(ofAdded: specs) { ErrorOutput.report(notice) }
        let (added, startedAnew, refused, isStarted) = try add(specs)
        for words in refused { ErrorOutput.report("error: \(words)") }
        let known = specs.count - added - refused.count
        print(
            PlainText(
                "\(NumberFormat.count(added)) added"
                    + AdditionReply.words(ofKnown: known, startedAnew: startedAnew)
                    + (added > 0 ? Self.place(of: specs) : "")))
        if isStarted {
            // What the file says of a run as a whole, such as limit-rate, holds for all that this session will do.
            let settings = command.config.config.map { " with the settings of --config \($0)" } ?? ""
            let commands = StateCommands(sources)
            let hint = "\(commands.line("attach")) shows it, \(commands.line("stop")) ends it"
            print(PlainText("a session was started for it\(settings); \(hint)"))
        }
        return batches.hasErrors || !refused.isEmpty ? 1 : 0
    }

    /// `; to be saved in FOLDER`, `; to be saved in 3 folders`; empty for uploads.
    private static func place(of specs: [TransferSpec]) -> String {
        let folders = Set(specs.filter { $0.direction == .down }.map { WorkingFolder.current().absolute($0.folder) })
        guard let folder = folders.first else { return "" }
        return "; to be saved in " + (folders.count == 1 ? folder : "\(folders.count) folders")
    }

    /// Gives entries to the session, which is started if none runs.
    ///
    /// - Returns: how many of them were not in its list, how many others it has started anew, why it has refused others, and
    ///   whether it was started.
    private func add(
        _ specs: [TransferSpec]
    ) throws -> (added: Int, startedAnew: Int, refused: [String], isStarted: Bool) {
        let folder = command.keeping.place.folder
        let requests = try SessionRequest.adding(specs, from: .current())
        let options = command.keeping.place.arguments + command.config.arguments
        var (added, startedAnew, acknowledged, isStarted) = (0, 0, 0, false)
        var refused: [String] = []
        // What a session that ends has not acknowledged is given to the next one; an entry that it has stored is in the list already.
        try SessionAccess(folder: folder).withSession(
            patience: SessionAccess.longPatience,
            start: {
                if try BackgroundSession(folder: folder).startUnlessRunning(options) { isStarted = true }
            },
            undone: {
                let given = requests.prefix(acknowledged).reduce(0) { $0 + ($1.specs?.count ?? 0) }
                guard given > 0 else { return "nothing was added" }
                return "it has \(NumberFormat.count(given)) of the \(NumberFormat.count(specs.count)) entries"
            },
            { link throws(SessionFailure) in
                for request in requests.dropFirst(acknowledged) {
                    let count = request.specs?.count ?? 0
                    let reply = try link.request(request, patience: SessionAccess.longPatience)
                    reply.reportUnsaved()
                    // A session of an older version does not say it, and adds all.
                    added += reply.added ?? count
                    startedAnew += reply.startedAnew ?? 0
                    refused += reply.problems ?? []
                    acknowledged += 1
                }
            })
        return (added, startedAnew, refused, isStarted)
    }
}

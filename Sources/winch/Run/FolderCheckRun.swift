import ArgumentParser
import Synchronization
import WinchBatch
import WinchKit
import WinchLedger
import WinchModel
import WinchQueue
import WinchTerminal
import WinchTransport

/// `winch check -r URL/ ...`: lists folders as a run does, prints what would be downloaded, and downloads nothing. What is here is
/// judged as by a run: the ledger is read, if there is one, and no run is entered in it.
struct FolderCheckRun {
    let sources: SettingSources
    let ending: ProcessEnding

    func run() throws -> Int32 {
        let command = sources.command
        try command.refuseOptionsOfOthers()
        guard command.target.inputFile.isEmpty, command.upload.fields.isEmpty else {
            throw ValidationError("winch check -r takes the URLs of folders; winch check FILE checks a batch file")
        }
        guard command.folder.maxFiles == nil else {
            throw ValidationError("--max-files has no effect on winch check -r, which counts all files")
        }
        var input = try RunInput(sources)
        let specs = input.batches.takeSpecs().map { given in
            var spec = given
            spec.folderOrder?.isDry = true
            return spec
        }
        for notice in sources.notices + input.batches.notices { ErrorOutput.report(notice) }
        guard !specs.isEmpty else { throw command.nothingToFetch }
        let mailbox = try LoopMailbox()
        let queue = LocalQueue()
        queue.feed.subscribe(mailbox.updates)
        let entries = RunEntries(input.sums, folder: nil)
        if !command.keeping.ephemeral { entries.open(finished: finishedFiles) }
        let door = PrintingDoor(entries)
        var settings = command.queueSettings(isWatched: false)
        // No key and no command can end a hold of this run.
        settings.isHeld = false
        let host = try EngineHost(settings: settings, door: door, queue: queue)
        ending.expect(host)
        queue.add(specs) { _ in }
        host.start()
        let end = ReporterLoop(.quiet, queue: queue, mailbox: mailbox).run()
        guard end != .quitAtOnce, let summary = host.summary else { return ending.quitAtOnce() }
        print(
            door.total(leftOut: summary.leftOut, failed: summary.failures.count, unlisted: summary.unfinished))
        if let reason = StandardStreams.flushOutput() {
            ErrorOutput.report("standard output: \(reason)")
            return RunSummary.outputCode
        }
        summary.listingWarnings.forEach(ErrorOutput.report)
        summary.lines(nil, withTotals: false).forEach(ErrorOutput.report)
        return summary.exitCode == 0 && input.batches.hasErrors ? 1 : summary.exitCode
    }

    private var finishedFiles: [LedgerEntry] {
        do throws(LedgerFailure) {
            return try Ledger.finishedFiles(stateFolder: sources.command.keeping.place.folder, now: SystemClock.date())
        } catch {
            // A run would go on without it as well.
            ErrorOutput.report(error.message)
            return []
        }
    }
}

/// Lets folders in, so that they are listed, and prints the files that a run would download.
final class PrintingDoor: EntryDoor {
    private struct Count {
        var files = 0
        /// Of the files whose size is listed.
        var bytes: Int64 = 0
        /// A size is rounded.
        var isEstimated = false
        var unsized = 0
        /// Files of which only the server can say whether they have changed.
        var asked = 0
        var unchanged = 0
        /// Files that the run would not fetch for its options.
        var refused = 0
    }

    private let entries: RunEntries
    private let count = Mutex(Count())

    /// - Parameter entries: those of the run, which say what is here already.
    init(_ entries: RunEntries) { self.entries = entries }

    func admitFound(_ specs: [TransferSpec], enter: @escaping @Sendable (Admitted) -> Void) {
        entries.admitFound(specs) { admitted in
            var folders = admitted
            folders.additions = admitted.additions.filter { $0.spec.folderOrder != nil }
            self.take(admitted)
            enter(folders)
        }
    }

    private func take(_ admitted: Admitted) {
        count.withLock { count in
            count.unchanged += admitted.unchanged
            for addition in admitted.additions where addition.spec.folderOrder == nil {
                let spec = addition.spec
                let version = spec.listedVersion ?? ListedVersion()
                let isAsked = spec.finishedFile != nil && !version.tellsChange
                let refusal = Self.refusal(of: spec, version.size)
                if refusal != nil {
                    count.refused += 1
                } else if isAsked {
                    count.asked += 1
                } else {
                    count.files += 1
                    count.bytes = count.bytes.saturatingAdd(max(0, version.size?.bytes ?? 0))
                    count.isEstimated = count.isEstimated || version.size?.isExact == false
                    if version.size == nil { count.unsized += 1 }
                }
                let words = refusal ?? (isAsked ? "if it has changed" : nil)
                print(PlainText(Self.line(of: spec, version.size) + (words.map { ", " + $0 } ?? "")))
            }
        }
    }

    /// Why a run would not fetch a file; `nil`: it would.
    private static func refusal(of spec: TransferSpec, _ size: ListedSize?) -> String? {
        let settings = spec.settings.value
        if let most = settings.maxSize, let size, size.isExact, size.bytes > most.bytes {
            return "not fetched: larger than --max-size"
        }
        guard settings.onConflict == .skip || settings.onConflict == .fail, spec.finishedFile == nil,
            FileStatus.kind(of: "\(spec.folder)/\(spec.expectedName)") != nil
        else { return nil }
        return "not fetched: the name is taken (--on-conflict \(settings.onConflict.rawValue))"
    }

    /// `1.5 MiB  dl/pub/a.iso`
    static func line(of spec: TransferSpec, _ size: ListedSize?) -> String {
        let words = size.map { ($0.isExact ? "" : "~") + NumberFormat.bytes(ByteCount(bytes: $0.bytes)) } ?? "--"
        let folder = LocalFolder(spec.folder, named: spec.namedParts)
        return "\(words)  \(spec.folder)/\(folder?.fileName(spec.expectedName) ?? spec.expectedName)"
    }

    /// `1,234 files, 5.6 GiB to transfer; 3 to be asked for; 20 unchanged; 2 left out; 1 folder failed`, or of files whose size is
    /// not known `5 files, at least 1.2 MiB, 3 of unknown size, to transfer`.
    ///
    /// - Parameters:
    ///   - leftOut: files and folders, as listings warn.
    ///   - failed: folders that could not be listed.
    ///   - unlisted: folders that were not listed to their ends when the check was ended.
    func total(leftOut: Int, failed: Int, unlisted: Int = 0) -> String {
        let count = count.withLock { $0 }
        let files = Found(files: count.files).fileCount
        let bytes = (count.isEstimated ? "~" : "") + NumberFormat.bytes(ByteCount(bytes: count.bytes))
        let unsized = NumberFormat.count(count.unsized)
        var parts =
            switch count.unsized {
            case 0: ["\(files), \(bytes) to transfer"]
            case count.files: ["\(files) of unknown size to transfer"]
            default: ["\(files), at least \(bytes), \(unsized) of unknown size, to transfer"]
            }
        if count.asked > 0 { parts.append("\(NumberFormat.count(count.asked)) to be asked for") }
        if count.unchanged > 0 { parts.append("\(NumberFormat.count(count.unchanged)) unchanged") }
        if count.refused > 0 { parts.append("\(NumberFormat.count(count.refused)) not to be fetched") }
        if leftOut > 0 { parts.append("\(NumberFormat.count(leftOut)) left out") }
        if failed > 0 { parts.append(failed == 1 ? "1 folder failed" : "\(NumberFormat.count(failed)) folders failed") }
        if unlisted > 0 {
            let folders = unlisted == 1 ? "1 folder" : "\(NumberFormat.count(unlisted)) folders"
            parts.append("interrupted: \(folders) not listed to the end")
        }
        return parts.joined(separator: "; ")
    }
}

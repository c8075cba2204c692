import FoundationEssentials
import Glibc
import Synchronization
import WinchBatch
import WinchLedger
import WinchModel
import WinchQueue
import WinchSystem
import WinchTransport

/// The ledger of this run with the transfers of earlier runs, or the reason why there is no ledger.
struct EarlierRuns: Sendable {
    private let ledger: Ledger?
    private let opening: LedgerContents?
    /// Why there is no ledger although one is wanted; `nil`: there is, or none is.
    private let openingFailure: LedgerFailure?
    private let workingFolder = WorkingFolder.current()
    private let lastFailure = LastFailure()
    /// That its messages name.
    private let commands: StateCommands
    private(set) var notices: [String] = []

    /// The transfers that this run starts with, and messages about them.
    struct Work {
        var additions: [Addition] = []
        var notices: [String] = []
        /// A list that it goes on with was not read to its end; a notice says so.
        var isIncomplete = false
    }

    /// Opens the ledger. If that fails, the run continues without one, and `notices` has a warning that it will not be saved.
    init(_ sources: SettingSources) {
        commands = StateCommands(sources)
        guard !sources.command.keeping.ephemeral else {
            (ledger, opening, openingFailure) = (nil, nil, nil)
            return
        }
        do throws(LedgerFailure) {
            let lastFailure = lastFailure
            let (ledger, opening) = try Ledger.open(
                stateFolder: sources.command.keeping.place.folder, now: SystemClock.date(), title: sources.title,
                onWrite: { lastFailure.note($0) })
            (self.ledger, self.opening, openingFailure) = (ledger, opening, nil)
            notices = opening.warning.map { [$0] } ?? []
        } catch {
            (ledger, opening, openingFailure) = (nil, nil, error)
            notices = ["\(error.message); this run will not be saved"]
        }
    }

    var isKept: Bool { ledger != nil }

    /// A command that goes on with this run, for messages; `nil`: there is none.
    var commandLine: ((String) -> String)? { isKept ? { commands.line($0) } : nil }

    /// The options of the run whose list would be resumed; empty when there is nothing to resume.
    var options: [NameValueLine] { opening?.options ?? [] }

    /// Stores the options of this run (`StoredRunOptions`) in the ledger.
    func keep(_ options: [NameValueLine]) { ledger?.keep(options) }

    /// Stores the lists of `--sums` for later runs, and finds those of earlier ones.
    func keep(_ sums: ChecksumListFiles) {
        guard let ledger else { return }
        sums.lists.open { key in
            ledger.list(key).flatMap { try? JSONDecoder().decode(ChecksumList.self, untrusted: Data($0.utf8)) }
        }
        guard let key = sums.key, let json = try? JSONEncoder().encode(sums.list) else { return }
        ledger.keep(list: String(decoding: json, as: UTF8.self), key: key)
    }

    /// Stores whether a part of the list of this run has still to be read.
    func note(isListUnread: Bool) { ledger?.note(isListUnread: isListUnread) }

    /// A message when the last changes may be missing in the ledger and the user was not told; `nil`: none.
    var lastNotice: String? { lastFailure.untold?.message }

    /// Why the last changes are not in the ledger; `nil`: they are.
    var unsaved: String? {
        openingFailure.map { "the queue cannot be saved: \($0.message)" } ?? lastFailure.unsaved
    }

    /// Tells at once that the ledger cannot be written, where no screen is in the way: a session may never end.
    func tellFailures(_ tell: @escaping @Sendable (String) -> Void) { lastFailure.tell(tell) }

    var ledgerSession: RunLedger? {
        guard let ledger, let opening else { return nil }
        return RunLedger(ledger: ledger, firstKey: opening.firstKey, date: SystemClock.date)
    }

    /// Matches batches with what earlier runs left.
    ///
    /// - Parameter reopened: entries that are in the list by themselves.
    func continuation(besides reopened: Set<LedgerKey> = []) -> Continuation {
        var held: [Continuation.Request: Int32] = [:]
        for other in opening?.heldByOthers ?? [] {
            guard let request = Continuation.Request.held(by: other.entry.spec, in: workingFolder) else { continue }
            held[request] = other.pid
        }
        var entries = opening?.unfinished ?? []
        if !reopened.isEmpty { entries.removeAll { reopened.contains($0.key) } }
        return Continuation(
            from: entries, held: held, in: workingFolder,
            finishedFile: { Self.finishedFile($0) },
            versionOfFile: { FileStatus.of($0).map { FileIdentity(source: $0) } })
    }

    /// The entries of a piece of a batch. Those that an earlier run has left unfinished are resumed from its bytes.
    func additions(for specs: [TransferSpec], _ continuation: inout Continuation) -> [Addition] {
        continuation.additions(for: specs) { keys in ledger?.adopt(keys) ?? [] }
    }

    /// A message about the transfers of earlier runs that this run has not named.
    func reminders(_ continuation: Continuation) -> [String] {
        let count = continuation.otherUnfinished
        guard count > 0 else { return [] }
        let (transfers, them) = count == 1 ? ("transfer", "it") : ("transfers", "them")
        return ["\(count) unfinished \(transfers) from an earlier run; run `\(commands.line())` to resume \(them)"]
    }

    var hasWork: Bool { opening?.unfinished.contains(where: \.standing.isLeft) ?? false }

    /// What a run is told that goes on with earlier runs, of which not all is known.
    var unreadLists: Work { Work(unread: opening?.unread ?? []) }

    /// The list of earlier runs, for `winch` without arguments.
    ///
    /// - Parameters:
    ///   - withDone: includes finished and cancelled transfers, for a dashboard that shows them.
    ///   - withInput: includes uploads of standard input, for a run that has the user's.
    ///   - batch: has been matched, and what it names is not reopened.
    func reopen(withDone: Bool, withInput: Bool, besides batch: Continuation = Continuation()) -> Work {
        guard let ledger, let opening else { return Work() }
        var work = unreadLists
        guard hasWork else {
            work.notices.insert(nothingLeft, at: 0)
            return work
        }
        let entries = opening.unfinished.filter { (withInput || !$0.readsStandardInput) && !batch.names($0) }
        // What is done belongs to the list also where it is not shown: a later run asks by its version whether it has changed.
        let ours = Set(ledger.adopt(entries.map(\.key)))
        let list = eachOnce(entries.filter { ours.contains($0.key) })
        work.additions = list.filter { withDone || $0.isResumed }.map { entry in
            var addition = Addition(entry)
            addition.spec.folder = workingFolder.relative(entry.spec.folder)
            return addition
        }
        // Another process that began at the same time has got them.
        if ours.isEmpty, !entries.isEmpty { work.notices.append(nothingLeft) }
        if !withDone { work.notices += Self.notice(ofFailed: list.count { $0.standing.isFailed }) }
        return work
    }

    /// Failed transfers, to be tried again with what is on disk of them. A request that is sent once (a POST) is not repeated.
    func retry(_ query: HistoryQuery) -> Work {
        let failed = (opening?.unfinished ?? []).filter { entry in
            entry.standing.isFailed && !entry.readsStandardInput && !(entry.spec.upload?.isSentOnce ?? false)
                && HistoryEntry(entry).map(query.matches) ?? false
        }
        let ours = Set(ledger?.adopt(failed.map(\.key)) ?? [])
        guard !ours.isEmpty else {
            let retry = commands.line("retry")
            return Work(notices: ["nothing to retry; \(retry) tries those again that failed in a session that runs"])
        }
        return Work(
            additions: failed.filter { ours.contains($0.key) }.map { entry in
                var spec = entry.spec
                spec.folder = workingFolder.relative(spec.folder)
                return Addition(entry, as: .unfinished, spec: spec)
            })
    }

    /// What other runs have left since this one began, with absolute folders. What reads standard input is left to a run that has it.
    func takeOver() -> Work {
        guard let ledger else { return Work() }
        let left = ledger.takeOver(now: SystemClock.date()) { !$0.readsStandardInput }
        var work = Work(unread: left.unread)
        work.additions = eachOnce(left.entries).map { Addition($0) }
        let options = StoredRunOptions.words(ofLeft: left.options)
        if !work.additions.isEmpty, !options.isEmpty {
            work.notices.append("the session does not take over \(options) of the run")
        }
        return work
    }

    /// Entries of this run without those that would fetch a file once more, which the ledger forgets.
    private func eachOnce(_ entries: [LedgerEntry]) -> [LedgerEntry] {
        let repeated = entries.repeated
        guard !repeated.isEmpty else { return entries }
        ledger?.record(repeated.map { .removed($0) })
        return entries.filter { !repeated.contains($0.key) }
    }

    /// Without a dashboard, one message counts the transfers that failed in earlier runs, and they are not reported as new
    /// failures.
    private static func notice(ofFailed count: Int) -> [String] {
        guard count > 0 else { return [] }
        let (transfers, command) = count == 1 ? ("transfer", "its command") : ("transfers", "their command")
        return ["\(count) \(transfers) failed in an earlier run; run \(command) again to retry"]
    }

    private var nothingLeft: String {
        guard let opening, let other = opening.heldByOthers.first else { return "nothing to resume" }
        let count = opening.heldByOthers.count
        return "nothing to resume: \(count) unfinished, which another winch works on (process \(other.pid))"
    }

    @Sendable private static func finishedFile(_ path: String) -> FileIdentity? {
        var status = stat()
        guard lstat(path.cBytes, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return FileIdentity(status)
    }
}

extension EarlierRuns.Work {
    /// - Parameter commands: of runs that have not read their lists to the end.
    fileprivate init(unread commands: [String]) {
        let words = "the list of an earlier run was not read to its end; run its command again: "
        self.init(notices: commands.map { words + $0 }, isIncomplete: !commands.isEmpty)
    }
}

/// The last failure of the ledger, which is printed at once, or after the front end has released the terminal.
private final class LastFailure: Sendable {
    private struct State {
        var untold: LedgerFailure?
        /// The present one.
        var current: LedgerFailure?
        var tell: (@Sendable (String) -> Void)?
    }

    private let state = Mutex(State())

    /// - Parameter failure: `nil`: what could not be written is written now.
    func note(_ failure: LedgerFailure?) {
        let tell = state.withLock { state in
            state.current = failure
            if state.tell == nil { state.untold = failure }
            return state.tell
        }
        if let failure { tell?(failure.message) }
    }

    func tell(_ tell: @escaping @Sendable (String) -> Void) {
        let earlier = state.withLock { state in
            state.tell = tell
            return state.untold.take()
        }
        if let earlier { tell(earlier.message) }
    }

    var untold: LedgerFailure? { state.withLock { $0.untold } }

    var unsaved: String? {
        guard case .notWritten(let path, let reason) = state.withLock(\.current) else { return nil }
        return "the queue cannot be saved: \(path): \(reason)"
    }
}

extension LedgerEntry {
    fileprivate var readsStandardInput: Bool { spec.upload?.content == .standardInput }
}

import WinchModel

/// The bindings of keys to intents, with their words for the footer and the help. The dashboard's keys are defined
/// only here; panels have a few of their own.
struct KeyMap: Sendable {
    struct Binding: Hashable, Sendable {
        let intent: KeyAction
        var keys: [Key]
        /// For the help: a whole phrase.
        let words: String
        /// For the footer: a word or two; `nil`: not shown there.
        var hint: String?
        /// The condition under which the key has an effect.
        var applies: Condition = .always
        let group: Group
    }

    /// A heading of the help.
    enum Group: String, CaseIterable, Sendable {
        case transfer = "Selected or tagged"
        case queue = "All downloads"
        case list = "The list"
        case program = "Winch"
        case move = "Move"
    }

    /// The condition for a key to have an effect; the footer shows only such keys.
    enum Condition: Hashable, Sendable {
        case always
        case selectedCanPause, selectedCanResume, selectedCanCancel, selectedCanRetry
        case selectedCanRemove, selectedCanMove, selectedCanChangeURL, anyTagged, anyUndoable
        case anyUnsettled, allPaused, anyFailed, anyFinished, anyRows
        case detailsOpen, detailsOpenCanChangeURL, detailsClosed
        case folderOpen, folderClosed
        case countsBytes, countsFiles
        /// The dashboard shows a run of its own process, or that of a session.
        case ownRun, attached
        /// The dashboard shows a fleet.
        case fleet
    }

    let bindings: [Binding]
    private let intents: [Key: KeyAction]

    init(_ bindings: [Binding]) {
        self.bindings = bindings
        let pairs = bindings.flatMap { binding in binding.keys.map { ($0, binding.intent) } }
        intents = Dictionary(pairs) { first, _ in first }
    }

    /// `nil` for a key without a binding.
    subscript(key: Key) -> KeyAction? { intents[key] }

    /// The bindings of a group, one per intent. Several bindings of an intent may share their keys if their
    /// conditions exclude each other.
    ///
    /// - Parameters:
    ///   - isAttached: the dashboard shows a session.
    ///   - isFleet: it shows a fleet.
    func bindings(of group: Group, isAttached: Bool, isFleet: Bool = false) -> [Binding] {
        var seen: Set<KeyAction> = []
        let others: [Condition] = isFleet ? [.ownRun, .attached] : [isAttached ? .ownRun : .attached, .fleet]
        return bindings.filter {
            $0.group == group && !$0.keys.isEmpty && !others.contains($0.applies)
                && !(isFleet && $0.intent.reasonAgainFleet != nil) && seen.insert($0.intent).inserted
        }
    }
}

extension KeyMap {
    /// The default keys, in order of their importance for the footer.
    static let standard = KeyMap([
        Binding(
            intent: .pauseOrResume, keys: ["p"], words: "pause or resume", hint: "pause", applies: .selectedCanPause,
            group: .transfer),
        Binding(
            intent: .pauseOrResume, keys: ["p"], words: "pause or resume", hint: "resume", applies: .selectedCanResume,
            group: .transfer),
        Binding(
            intent: .retry, keys: ["r"], words: "retry now", hint: "retry", applies: .selectedCanRetry, group: .transfer
        ),
        Binding(
            intent: .cancel, keys: ["c"], words: "cancel, delete partial file", hint: "cancel",
            applies: .selectedCanCancel, group: .transfer),
        Binding(
            intent: .remove, keys: ["d"], words: "take off the list", hint: "off the list", applies: .selectedCanRemove,
            group: .transfer),
        Binding(
            intent: .bringBack, keys: ["b"], words: "back on list, undo cancel", hint: "undo", applies: .anyUndoable,
            group: .queue),
        Binding(
            intent: .untagAll, keys: ["U"], words: "untag all", hint: "untag all", applies: .anyTagged, group: .list),
        Binding(
            intent: .limitRow, keys: ["x"], words: "rate limit", hint: "limit", applies: .selectedCanMove,
            group: .transfer),
        Binding(intent: .moreConnections, keys: [")"], words: "one more connection", group: .transfer),
        Binding(intent: .fewerConnections, keys: ["("], words: "one fewer connection", group: .transfer),
        Binding(
            intent: .openFolder, keys: ["o"], words: "open its folder", hint: "open folder", applies: .detailsOpen,
            group: .transfer),
        Binding(
            intent: .copyURL, keys: ["y"], words: "copy its URL", hint: "copy URL", applies: .detailsOpen,
            group: .transfer),
        Binding(
            intent: .editURL, keys: ["e"], words: "change its URL", hint: "change URL",
            applies: .detailsOpenCanChangeURL, group: .transfer),
        Binding(
            intent: .details, keys: [.enter], words: "open or close details", hint: "details", applies: .detailsClosed,
            group: .transfer),
        Binding(
            intent: .details, keys: [.enter], words: "open or close details", hint: "close", applies: .detailsOpen,
            group: .transfer),
        Binding(
            intent: .unfold, keys: [.right], words: "open a folder of the list", hint: "open", applies: .folderClosed,
            group: .list),
        Binding(
            intent: .fold, keys: [.left], words: "close it, or go to it", hint: "close", applies: .folderOpen,
            group: .list),
        Binding(intent: .moveEarlier, keys: ["["], words: "earlier in the queue", group: .transfer),
        Binding(intent: .moveLater, keys: ["]"], words: "later in the queue", group: .transfer),
        Binding(intent: .moveFirst, keys: ["{"], words: "first in the queue", group: .transfer),
        Binding(intent: .moveLast, keys: ["}"], words: "last in the queue", group: .transfer),
        Binding(intent: .scrollDetailsDown, keys: ["J"], words: "scroll the details down", group: .transfer),
        Binding(intent: .scrollDetailsUp, keys: ["K"], words: "scroll the details up", group: .transfer),

        Binding(intent: .add, keys: ["a"], words: "add URLs, typed or pasted", hint: "add", group: .queue),
        Binding(
            intent: .pauseOrResumeAll, keys: ["P"], words: "pause or resume all", hint: "pause all",
            applies: .anyUnsettled, group: .queue),
        Binding(
            intent: .pauseOrResumeAll, keys: ["P"], words: "pause or resume all", hint: "resume all",
            applies: .allPaused, group: .queue),
        Binding(
            intent: .retryFailed, keys: ["R"], words: "retry all that failed", hint: "retry failed",
            applies: .anyFailed, group: .queue),
        Binding(
            intent: .slower, keys: ["z"], words: "lower the total rate limit", hint: "limit all",
            applies: .anyUnsettled, group: .queue),
        Binding(intent: .faster, keys: ["Z"], words: "raise or remove that limit", group: .queue),

        Binding(
            intent: .filter, keys: ["/"], words: "filter by name, host, state", hint: "filter", applies: .anyRows,
            group: .list),
        Binding(intent: .log, keys: ["l"], words: "log of events", hint: "log", group: .program),
        Binding(
            intent: .machines, keys: ["M"], words: "machines of the fleet", hint: "machines", applies: .fleet,
            group: .program),
        Binding(
            intent: .toggleMode, keys: ["m"], words: "bar counts files or bytes", hint: "count files",
            applies: .countsBytes, group: .queue),
        Binding(
            intent: .toggleMode, keys: ["m"], words: "bar counts files or bytes", hint: "count bytes",
            applies: .countsFiles, group: .queue),
        Binding(intent: .settings, keys: ["S", ","], words: "settings", hint: "settings", group: .program),
        Binding(
            intent: .removeDone, keys: ["D"], words: "clear finished", hint: "clear finished", applies: .anyFinished,
            group: .queue),
        Binding(
            intent: .moreSlots, keys: ["+", "="], words: "one more file at a time", hint: "more files", group: .queue),
        Binding(
            intent: .fewerSlots, keys: ["-"], words: "one fewer file at a time", hint: "fewer files", group: .queue),
        Binding(intent: .help, keys: ["?", .function(1), "h"], words: "this help", hint: "help", group: .program),
        Binding(
            intent: .quit, keys: ["q"], words: "quit, keep partial files", hint: "quit", applies: .ownRun,
            group: .program),
        Binding(
            intent: .quit, keys: ["q"], words: "leave; the session goes on", hint: "leave", applies: .attached,
            group: .program),
        Binding(
            intent: .quit, keys: ["q"], words: "leave; the fleet goes on", hint: "leave", applies: .fleet,
            group: .program),
        Binding(
            intent: .background, keys: ["&"], words: "go on in the background", applies: .ownRun, group: .program),
        Binding(intent: .stopSession, keys: ["Q"], words: "stop the session", applies: .attached, group: .program),

        Binding(intent: .tag, keys: [" "], words: "tag or untag", group: .list),
        Binding(intent: .tagAll, keys: ["*"], words: "tag all that are shown", group: .list),
        Binding(intent: .untag, keys: ["u"], words: "untag this one", group: .list),
        Binding(intent: .sortNext, keys: [">"], words: "sort by the next column", group: .list),
        Binding(intent: .sortPrevious, keys: ["<"], words: "sort by the previous column", group: .list),
        Binding(intent: .invertSort, keys: ["I"], words: "reverse order", group: .list),
        Binding(intent: .columns, keys: ["C"], words: "choose the columns", group: .list),
        Binding(intent: .holdLine, keys: ["F"], words: "keep the cursor line fixed", group: .list),
        Binding(intent: .groupByFolder, keys: ["f"], words: "group by folder, or not", group: .list),
        Binding(intent: .nextView, keys: [.tab], words: "next tab", group: .list),
        Binding(intent: .previousView, keys: [.backTab], words: "previous tab", group: .list),
        Binding(intent: .viewAll, keys: ["1"], words: "all", group: .list),
        Binding(intent: .viewActive, keys: ["2"], words: "active only", group: .list),
        Binding(intent: .viewWaiting, keys: ["3"], words: "waiting and paused only", group: .list),
        Binding(intent: .viewFailed, keys: ["4"], words: "failed and cancelled only", group: .list),
        Binding(intent: .viewDone, keys: ["5"], words: "done only", group: .list),

        Binding(intent: .saveSettings, keys: ["W"], words: "save look and settings", group: .program),
        Binding(intent: .nextTheme, keys: ["t"], words: "next theme", group: .program),
        Binding(intent: .command, keys: [":"], words: "type a command", group: .program),
        Binding(intent: .toggleMouse, keys: ["%"], words: "mouse on or off", group: .program),
        Binding(
            intent: .interrupt, keys: [.control("c")], words: "quit; twice: at once", applies: .ownRun, group: .program
        ),
        Binding(
            intent: .interrupt, keys: [.control("c")], words: "leave; the session goes on", applies: .attached,
            group: .program),
        Binding(
            intent: .interrupt, keys: [.control("c")], words: "leave; the fleet goes on", applies: .fleet,
            group: .program),
        Binding(intent: .suspend, keys: [.control("z")], words: "suspend; fg comes back", group: .program),
        Binding(intent: .redraw, keys: [.control("l")], words: "redraw", group: .program),

        Binding(intent: .up, keys: [.up, "k"], words: "up", group: .move),
        Binding(intent: .down, keys: [.down, "j"], words: "down", group: .move),
        Binding(intent: .pageUp, keys: [.pageUp], words: "page up", group: .move),
        Binding(intent: .pageDown, keys: [.pageDown], words: "page down", group: .move),
        Binding(intent: .first, keys: ["g", .home], words: "first row", group: .move),
        Binding(intent: .last, keys: ["G", .end], words: "last row", group: .move),
        Binding(intent: .back, keys: [.escape], words: "clear filter; follow active", group: .move),
    ])
}

extension Key: ExpressibleByExtendedGraphemeClusterLiteral {
    package init(extendedGraphemeClusterLiteral value: Character) {
        self = .character(value)
    }
}

/// The selected row and the state of the queue, from which follows which keys would have an effect.
struct KeyApplicability {
    var selected: TransferSnapshot?
    let totals: QueueTotals
    /// Number of tagged transfers. If there are any, keys act on them instead of the selected row; a key that would
    /// have no effect says so.
    var tagged = 0
    var areDetailsOpen = false
    /// The queue is that of a session.
    var isAttached = false
    var isFleet = false
    /// The selected folder of grouped rows; keys act on all its transfers.
    var folder: FolderLine?

    func satisfies(_ condition: KeyMap.Condition) -> Bool {
        if let folder, tagged == 0, condition.isOfSelected {
            // As for tagged rows, the key resumes only if there is nothing to pause.
            if condition == .selectedCanResume, satisfies(.selectedCanPause) { return false }
            return RowState.satisfying(condition, totals).contains { folder.sums.contains($0) }
        }
        return switch condition {
        case .always: true
        case .folderOpen: folder?.isOpen ?? false
        case .folderClosed: folder.map { !$0.isOpen } ?? false
        case .anyTagged: tagged > 0
        case .anyUndoable: totals.restorable > 0
        case .selectedCanPause where tagged > 0, .selectedCanCancel where tagged > 0: !totals.allSettled
        case .selectedCanResume where tagged > 0: false
        case .selectedCanRetry where tagged > 0: totals.failed + totals.cancelled + totals.backoff > 0
        case .selectedCanRemove where tagged > 0: totals.settled > 0
        case .selectedCanRemove: selected?.phase.isSettled ?? false
        case .selectedCanPause: selected.map(isPausable) ?? false
        case .selectedCanResume: selected.map(isResumable) ?? false
        case .selectedCanCancel: selected.map { !$0.phase.isSettled } ?? false
        case .selectedCanRetry: selected.map(isRetryable) ?? false
        case .selectedCanMove where tagged > 0: totals.finished < totals.count
        // A failed or cancelled transfer can be retried, and then its place in the queue counts.
        case .selectedCanMove: selected.map { !ListTab.done.contains($0.phase) } ?? false
        case .selectedCanChangeURL: selected.map(isReaddressable) ?? false
        case .anyUnsettled: !totals.allSettled && !isAllPaused
        case .allPaused: !totals.allSettled && isAllPaused
        case .anyFailed: totals.failed > 0
        case .anyFinished: totals.finished > 0
        case .anyRows: totals.count > 0
        case .detailsOpen: areDetailsOpen && folder == nil
        case .detailsOpenCanChangeURL: areDetailsOpen && satisfies(.selectedCanChangeURL)
        case .detailsClosed: selected != nil && !areDetailsOpen
        case .countsBytes: totals.count > 0 && totals.mode == .accurate
        case .countsFiles: totals.count > 0 && totals.mode == .simple
        case .ownRun: !isAttached
        case .attached: isAttached && !isFleet
        case .fleet: isFleet
        }
    }

    /// No transfer runs or would start by itself.
    private var isAllPaused: Bool {
        totals.isHeld || (totals.active == 0 && totals.waiting == 0 && totals.backoff == 0 && totals.paused > 0)
    }

    private func isPausable(_ row: TransferSnapshot) -> Bool {
        switch row.phase {
        case .waiting, .connecting, .requested, .moving, .backoff, .replying: !isResumable(row)
        // A file that is being verified is complete, or its transfer has failed.
        case .verifying, .paused, .finished, .failed, .cancelled: false
        }
    }

    /// A download that is not complete: its remaining bytes could come from another URL.
    private func isReaddressable(_ row: TransferSnapshot) -> Bool {
        switch row.phase {
        case .waiting, .connecting, .requested, .moving, .paused, .backoff, .failed: row.direction == .down
        case .replying, .verifying, .finished, .cancelled: false
        }
    }

    private func isResumable(_ row: TransferSnapshot) -> Bool {
        switch row.phase {
        case .paused, .waiting(.held): true
        case .waiting(.slot), .waiting(.hostSlot), .waiting(.sizing), .waiting(.space), .connecting, .requested,
            .moving, .backoff,
            .replying, .verifying,
            .finished, .failed, .cancelled:
            false
        }
    }

    private func isRetryable(_ row: TransferSnapshot) -> Bool {
        switch row.phase {
        case .failed, .cancelled, .backoff: true
        case .waiting, .connecting, .requested, .moving, .paused, .replying, .verifying, .finished: false
        }
    }
}

extension KeyMap.Condition {
    /// It depends on the phase of the selected row alone.
    fileprivate var isOfSelected: Bool {
        switch self {
        case .selectedCanPause, .selectedCanResume, .selectedCanCancel, .selectedCanRetry, .selectedCanRemove,
            .selectedCanMove:
            true
        default: false
        }
    }
}

extension RowState {
    /// The states of rows that satisfy the condition.
    static func satisfying(_ condition: KeyMap.Condition, _ totals: QueueTotals) -> Set<RowState> {
        var situation = KeyApplicability(selected: nil, totals: totals)
        return Set(
            allCases.filter { state in
                situation.selected = TransferSnapshot(id: TransferID(0), name: "", host: "", phase: state.example)
                return situation.satisfies(condition)
            })
    }

    /// A phase of this state.
    private var example: TransferPhase {
        switch self {
        case .waiting: .waiting(.slot)
        case .held: .waiting(.held)
        case .working: .moving
        case .verifying: .verifying
        case .paused: .paused
        case .backoff: .backoff(until: Moment(nanoseconds: 0), attempt: 1, limit: 0, failure: .other(""))
        case .finished: .finished(.saved(path: ""))
        case .failed: .failed(.other(""))
        case .cancelled: .cancelled
        }
    }
}

extension TransferPhase {
    /// Why a key does nothing here: `it is done`.
    var inapplicableReason: String {
        switch self {
        case .waiting: "it is waiting"
        case .connecting, .requested, .moving, .replying: "it is active"
        case .paused: "it is paused; p resumes it"
        case .backoff: "it will be retried by itself"
        case .verifying: "it is being finished"
        case .finished: "it is done"
        case .failed: "it has failed; r retries"
        case .cancelled: "it was cancelled; r starts it again"
        }
    }
}

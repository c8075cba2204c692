package import WinchBatch
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
        let hint: String?
        let applies: Condition
        let group: Group

        init(
            _ intent: KeyAction, _ keys: [Key], _ words: String, hint: String? = nil, if applies: Condition = .always,
            in group: Group
        ) {
            (self.intent, self.keys, self.words, self.hint) = (intent, keys, words, hint)
            (self.applies, self.group) = (applies, group)
        }
    }

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
        Binding(.pauseOrResume, ["p"], "pause or resume", hint: "pause", if: .selectedCanPause, in: .transfer),
        Binding(.pauseOrResume, ["p"], "pause or resume", hint: "resume", if: .selectedCanResume, in: .transfer),
        Binding(.retry, ["r"], "retry now", hint: "retry", if: .selectedCanRetry, in: .transfer),
        Binding(.cancel, ["c"], "cancel, delete partial file", hint: "cancel", if: .selectedCanCancel, in: .transfer),
        Binding(.remove, ["d"], "take off the list", hint: "off the list", if: .selectedCanRemove, in: .transfer),
        Binding(.bringBack, ["b"], "back on list, undo cancel", hint: "undo", if: .anyUndoable, in: .queue),
        Binding(.untagAll, ["U"], "untag all", hint: "untag all", if: .anyTagged, in: .list),
        Binding(.limitRow, ["x"], "rate limit", hint: "limit", if: .selectedCanMove, in: .transfer),
        Binding(.moreConnections, [")"], "one more connection", in: .transfer),
        Binding(.fewerConnections, ["("], "one fewer connection", in: .transfer),
        Binding(.openFolder, ["o"], "open its folder", hint: "open folder", if: .detailsOpen, in: .transfer),
        Binding(.copyURL, ["y"], "copy its URL", hint: "copy URL", if: .detailsOpen, in: .transfer),
        Binding(.editURL, ["e"], "change its URL", hint: "change URL", if: .detailsOpenCanChangeURL, in: .transfer),
        Binding(.details, [.enter], "open or close details", hint: "details", if: .detailsClosed, in: .transfer),
        Binding(.details, [.enter], "open or close details", hint: "close", if: .detailsOpen, in: .transfer),
        Binding(.unfold, [.right], "open a folder of the list", hint: "open", if: .folderClosed, in: .list),
        Binding(.fold, [.left], "close it, or go to it", hint: "close", if: .folderOpen, in: .list),
        Binding(.moveEarlier, ["["], "earlier in the queue", in: .transfer),
        Binding(.moveLater, ["]"], "later in the queue", in: .transfer),
        Binding(.moveFirst, ["{"], "first in the queue", in: .transfer),
        Binding(.moveLast, ["}"], "last in the queue", in: .transfer),
        Binding(.scrollDetailsDown, ["J"], "scroll the details down", in: .transfer),
        Binding(.scrollDetailsUp, ["K"], "scroll the details up", in: .transfer),

        Binding(.add, ["a"], "add URLs, typed or pasted", hint: "add", in: .queue),
        Binding(.pauseOrResumeAll, ["P"], "pause or resume all", hint: "pause all", if: .anyUnsettled, in: .queue),
        Binding(.pauseOrResumeAll, ["P"], "pause or resume all", hint: "resume all", if: .allPaused, in: .queue),
        Binding(.retryFailed, ["R"], "retry all that failed", hint: "retry failed", if: .anyFailed, in: .queue),
        Binding(.slower, ["z"], "lower the total rate limit", hint: "limit all", if: .anyUnsettled, in: .queue),
        Binding(.faster, ["Z"], "raise or remove that limit", in: .queue),

        Binding(.filter, ["/"], "filter by name, host, state", hint: "filter", if: .anyRows, in: .list),
        Binding(.log, ["l"], "log of events", hint: "log", in: .program),
        Binding(.machines, ["M"], "machines of the fleet", hint: "machines", if: .fleet, in: .program),
        Binding(.toggleMode, ["m"], "bar counts files or bytes", hint: "count files", if: .countsBytes, in: .queue),
        Binding(.toggleMode, ["m"], "bar counts files or bytes", hint: "count bytes", if: .countsFiles, in: .queue),
        Binding(.settings, ["S", ","], "settings", hint: "settings", in: .program),
        Binding(.removeDone, ["D"], "clear finished", hint: "clear finished", if: .anyFinished, in: .queue),
        Binding(.moreSlots, ["+", "="], "one more file at a time", hint: "more files", in: .queue),
        Binding(.fewerSlots, ["-"], "one fewer file at a time", hint: "fewer files", in: .queue),
        Binding(.help, ["?", .function(1), "h"], "this help", hint: "help", in: .program),
        Binding(.quit, ["q"], "quit, keep partial files", hint: "quit", if: .ownRun, in: .program),
        Binding(.quit, ["q"], "leave; the session goes on", hint: "leave", if: .attached, in: .program),
        Binding(.quit, ["q"], "leave; the fleet goes on", hint: "leave", if: .fleet, in: .program),
        Binding(.background, ["&"], "go on in the background", if: .ownRun, in: .program),
        Binding(.stopSession, ["Q"], "stop the session", if: .attached, in: .program),

        Binding(.tag, [" "], "tag or untag", in: .list),
        Binding(.tagAll, ["*"], "tag all that are shown", in: .list),
        Binding(.untag, ["u"], "untag this one", in: .list),
        Binding(.sortNext, [">"], "sort by the next column", in: .list),
        Binding(.sortPrevious, ["<"], "sort by the previous column", in: .list),
        Binding(.invertSort, ["I"], "reverse order", in: .list),
        Binding(.columns, ["C"], "choose the columns", in: .list),
        Binding(.holdLine, ["F"], "keep the cursor line fixed", in: .list),
        Binding(.groupByFolder, ["f"], "group by folder, or not", in: .list),
        Binding(.nextView, [.tab], "next tab", in: .list),
        Binding(.previousView, [.backTab], "previous tab", in: .list),
        Binding(.viewAll, ["1"], "all", in: .list),
        Binding(.viewActive, ["2"], "active only", in: .list),
        Binding(.viewWaiting, ["3"], "waiting and paused only", in: .list),
        Binding(.viewFailed, ["4"], "failed and cancelled only", in: .list),
        Binding(.viewDone, ["5"], "done only", in: .list),

        Binding(.saveSettings, ["W"], "save look and settings", in: .program),
        Binding(.nextTheme, ["t"], "next theme", in: .program),
        Binding(.command, [":"], "type a command", in: .program),
        Binding(.toggleMouse, ["%"], "mouse on or off", in: .program),
        Binding(.interrupt, [.control("c")], "quit; twice: at once", if: .ownRun, in: .program),
        Binding(.interrupt, [.control("c")], "leave; the session goes on", if: .attached, in: .program),
        Binding(.interrupt, [.control("c")], "leave; the fleet goes on", if: .fleet, in: .program),
        Binding(.suspend, [.control("z")], "suspend; fg comes back", in: .program),
        Binding(.redraw, [.control("l")], "redraw", in: .program),

        Binding(.up, [.up, "k"], "up", in: .move),
        Binding(.down, [.down, "j"], "down", in: .move),
        Binding(.pageUp, [.pageUp], "page up", in: .move),
        Binding(.pageDown, [.pageDown], "page down", in: .move),
        Binding(.first, ["g", .home], "first row", in: .move),
        Binding(.last, ["G", .end], "last row", in: .move),
        Binding(.back, [.escape], "clear filter; follow active", in: .move),
    ])
}

extension Key: ExpressibleByExtendedGraphemeClusterLiteral {
    package init(extendedGraphemeClusterLiteral value: Character) { self = .character(value) }
}

/// The selected row and the state of the queue, from which follows which keys would have an effect.
struct KeyApplicability {
    var selected: TransferSnapshot?
    let totals: QueueTotals
    /// If any are tagged, keys act on them instead of the selected row.
    var tagged = TaggedRows()
    var areDetailsOpen = false
    var isAttached = false
    var isFleet = false
    /// The selected folder of grouped rows; keys act on all its transfers.
    var folder: FolderLine?

    func satisfies(_ condition: KeyMap.Condition) -> Bool {
        switch condition {
        case .always: true
        case .folderOpen: folder?.isOpen ?? false
        case .folderClosed: folder.map { !$0.isOpen } ?? false
        case .anyTagged: !tagged.ids.isEmpty
        case .anyUndoable: totals.restorable > 0
        case .selectedCanPause, .selectedCanCancel, .selectedCanRetry, .selectedCanRemove, .selectedCanMove:
            condition.states?.contains(where: isAny) ?? false
        // Of several rows the key resumes only if there is nothing to pause.
        case .selectedCanResume: !satisfies(.selectedCanPause) && condition.states?.contains(where: isAny) ?? false
        case .selectedCanChangeURL: selected.map(isReaddressable) ?? false
        case .anyUnsettled: !totals.allSettled && !totals.isAllPaused
        case .allPaused: !totals.allSettled && totals.isAllPaused
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

    /// Any of the rows that keys act on is in this state.
    private func isAny(_ state: RowState) -> Bool {
        if !tagged.ids.isEmpty { return tagged.contains(state) }
        return folder?.sums.contains(state) ?? (selected.map { RowState($0.phase) } == state)
    }

    /// A download that is not complete: its remaining bytes could come from another URL.
    private func isReaddressable(_ row: TransferSnapshot) -> Bool {
        switch row.phase {
        case .waiting, .connecting, .requested, .moving, .paused, .backoff, .failed: row.direction == .down
        case .replying, .verifying, .finished, .cancelled: false
        }
    }
}

extension KeyMap.Condition {
    /// The states of the selected row in which it holds; `nil`: it depends on something else.
    var states: [RowState]? {
        switch self {
        // A file that is being verified is complete, or its transfer has failed.
        case .selectedCanPause: [.waiting, .working, .backoff]
        case .selectedCanResume: [.held, .paused]
        case .selectedCanCancel: [.waiting, .held, .working, .verifying, .paused, .backoff]
        case .selectedCanRetry: [.backoff, .failed, .cancelled]
        case .selectedCanRemove: [.finished, .failed, .cancelled]
        // A failed or cancelled transfer can be retried, and then its place in the queue counts.
        case .selectedCanMove: [.waiting, .held, .working, .verifying, .paused, .backoff, .failed, .cancelled]
        default: nil
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

/// The key map with the user's changes: lines of `key.ACTION=KEYS` in the settings.
///
/// An action is named as after `:`, e.g. `pause` or `retry-failed`. Keys are separated by blanks, e.g. `p Ctrl-P F5`;
/// an empty list leaves the action without keys. A key that was bound to another action is removed from that one.
package struct UserKeyBindings: Sendable {
    /// The errors in lines; the other lines are applied.
    package private(set) var problems: [BatchProblem] = []
    private(set) var keyMap = KeyMap.standard

    /// - Parameter lines: the keys of an action by its name.
    package init(_ lines: [NameValueLines.Line] = []) {
        for line in lines {
            guard let message = take(line.setting) else { continue }
            problems.append(BatchProblem(line: line.number, severity: .warning, message: message))
        }
    }

    /// - Returns: the error in the line, or `nil`.
    private mutating func take(_ line: NameValueLine) -> String? {
        guard let intent = KeyAction.allCases.first(where: { $0.name == line.name }) else {
            return "there is no action \(line.name.prefix(40))"
                + NearestName.question(for: line.name, among: KeyAction.allCases.map(\.name))
        }
        var keys: [Key] = []
        for word in line.value.split(separator: " ") {
            guard let key = Key(named: String(word)) else {
                return "there is no key \(word.prefix(40))" + NearestName.question(for: word, among: Key.names)
            }
            // The key that ends the program cannot be bound to another action.
            guard keyMap[key] != .interrupt || intent == .interrupt else { return "\(word) always ends the program" }
            keys.append(key)
        }
        guard intent != .interrupt || keys.contains(.control("c")) else { return "Ctrl-C always ends the program" }
        keyMap = KeyMap(
            keyMap.bindings.map { binding in
                var binding = binding
                binding.keys = binding.intent == intent ? keys : binding.keys.filter { !keys.contains($0) }
                return binding
            })
        return nil
    }
}

extension Key {
    /// The key's name for the user: `p`, `Ctrl-L`, `PgUp`, `↑`.
    func name(isASCII: Bool) -> String {
        switch self {
        case .character(" "): "Space"
        case .character(let character): String(character)
        case .control(let letter): "Ctrl-" + letter.uppercased()
        case .enter: "Enter"
        case .escape: "Esc"
        case .tab: "Tab"
        case .backTab: "S-Tab"
        case .backspace: "Backspace"
        case .delete: "Del"
        case .up: isASCII ? "Up" : "↑"
        case .down: isASCII ? "Down" : "↓"
        case .left: isASCII ? "Left" : "←"
        case .right: isASCII ? "Right" : "→"
        case .home: "Home"
        case .end: "End"
        case .pageUp: "PgUp"
        case .pageDown: "PgDn"
        case .function(let number): "F\(number)"
        case .paste: "paste"
        case .mouse: "mouse"
        }
    }

    /// Keys that have a name of more than one letter.
    private static let named: [Key] =
        [
            .character(" "), .enter, .escape, .tab, .backTab, .backspace, .delete, .up, .down, .left, .right, .home,
            .end, .pageUp, .pageDown,
        ] + (1...12).map { .function($0) }

    static var names: [String] { named.map { $0.name(isASCII: true) } }

    /// The inverse of `name(isASCII: true)`, in any case: `p`, `Ctrl-L`, `PgUp`, `F5`, `Space`.
    init?(named name: String) {
        let lower = name.lowercased()
        if name.count == 1, let character = name.first {
            self = .character(character)
        } else if lower.hasPrefix("ctrl-"), lower.count == 6, let letter = lower.last, letter.isASCII, letter.isLetter {
            self = .control(letter)
        } else if let key = Self.named.first(where: { $0.name(isASCII: true).lowercased() == lower }) {
            self = key
        } else {
            return nil
        }
    }
}

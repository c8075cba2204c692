extension KeyMap {
    /// Winch's keys, in the order of their weight for the footer.
    static let standard = KeyMap([
        Binding(
            intent: .pauseOrResume, keys: ["p"], words: "pause or resume", hint: "pause", applies: .selectedCanPause,
            group: .transfer),
        Binding(
            intent: .pauseOrResume, keys: ["p"], words: "pause or resume", hint: "resume", applies: .selectedCanResume,
            group: .transfer),
        Binding(
            intent: .retry, keys: ["r"], words: "try again, now", hint: "retry", applies: .selectedCanRetry,
            group: .transfer),
        Binding(
            intent: .cancel, keys: ["c"], words: "cancel (asks), drop its part", hint: "cancel",
            applies: .selectedCanCancel, group: .transfer),
        Binding(intent: .scrollDetailsDown, keys: ["J"], words: "scroll the details down", group: .transfer),
        Binding(intent: .scrollDetailsUp, keys: ["K"], words: "scroll the details up", group: .transfer),
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
            intent: .remove, keys: ["d"], words: "off the list, once ended", hint: "remove",
            applies: .selectedCanRemove, group: .transfer),
        Binding(intent: .limitRow, keys: ["x"], words: "its own rate limit", group: .transfer),
        Binding(intent: .moveEarlier, keys: ["["], words: "earlier in the queue", group: .transfer),
        Binding(intent: .moveLater, keys: ["]"], words: "later in the queue", group: .transfer),
        Binding(intent: .moveFirst, keys: ["{"], words: "to the queue's beginning", group: .transfer),
        Binding(intent: .moveLast, keys: ["}"], words: "to the queue's end", group: .transfer),
        Binding(
            intent: .untagAll, keys: ["U"], words: "untag all", hint: "untag all", applies: .anyTagged, group: .list),

        Binding(
            intent: .bringBack, keys: ["b"], words: "bring removed ones back", hint: "bring back",
            applies: .anyRemoved, group: .queue),
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
            intent: .toggleMode, keys: ["m"], words: "bar counts files or bytes", hint: "count files",
            applies: .countsBytes, group: .queue),
        Binding(
            intent: .toggleMode, keys: ["m"], words: "bar counts files or bytes", hint: "count bytes",
            applies: .countsFiles, group: .queue),
        Binding(
            intent: .details, keys: [.enter], words: "details, open or closed", hint: "details",
            applies: .detailsClosed, group: .transfer),
        Binding(
            intent: .details, keys: [.enter], words: "details, open or closed", hint: "close", applies: .detailsOpen,
            group: .transfer),

        Binding(intent: .log, keys: ["l"], words: "the log of events", hint: "log", group: .program),
        Binding(intent: .settings, keys: ["S", ","], words: "the settings", group: .program),
        Binding(intent: .nextTheme, keys: ["t"], words: "the next theme", group: .program),
        Binding(intent: .command, keys: [":"], words: "type a command", group: .program),
        Binding(intent: .removeDone, keys: ["D"], words: "all done off the list", group: .queue),

        Binding(
            intent: .filter, keys: ["/"], words: "filter by name, host, state", hint: "filter", applies: .anyRows,
            group: .list),
        Binding(intent: .help, keys: ["?", .function(1), "h"], words: "this help", hint: "help", group: .program),
        Binding(intent: .quit, keys: ["q"], words: "quit; parts are kept", hint: "quit", group: .program),

        Binding(intent: .moreSlots, keys: ["+", "="], words: "one more at a time", hint: "more slots", group: .queue),
        Binding(intent: .fewerSlots, keys: ["-"], words: "one fewer at a time", hint: "fewer slots", group: .queue),
        Binding(intent: .slower, keys: ["z"], words: "lower the rate limit", hint: "slower", group: .queue),
        Binding(intent: .faster, keys: ["Z"], words: "raise or lift the limit", hint: "faster", group: .queue),

        Binding(intent: .up, keys: [.up, "k"], words: "up", group: .move),
        Binding(intent: .down, keys: [.down, "j"], words: "down", group: .move),
        Binding(intent: .pageUp, keys: [.pageUp], words: "a page up", group: .move),
        Binding(intent: .pageDown, keys: [.pageDown], words: "a page down", group: .move),
        Binding(intent: .first, keys: ["g", .home], words: "to the first", group: .move),
        Binding(intent: .last, keys: ["G", .end], words: "to the last", group: .move),
        Binding(intent: .back, keys: [.escape], words: "clear filter; follow haul", group: .move),

        Binding(intent: .tag, keys: [" "], words: "tag or untag; keys act on all", group: .list),
        Binding(intent: .tagAll, keys: ["*"], words: "tag all that are shown", group: .list),
        Binding(intent: .untag, keys: ["u"], words: "untag this one", group: .list),
        Binding(intent: .sortNext, keys: [">"], words: "sort by the next column", group: .list),
        Binding(intent: .sortPrevious, keys: ["<"], words: "sort by the one before", group: .list),
        Binding(intent: .invertSort, keys: ["I"], words: "sort the other way round", group: .list),
        Binding(intent: .columns, keys: ["C"], words: "choose the columns", group: .list),
        Binding(intent: .holdLine, keys: ["F"], words: "selected row keeps its line", group: .list),
        Binding(intent: .nextView, keys: [.tab], words: "next tab", group: .list),
        Binding(intent: .previousView, keys: [.backTab], words: "tab before", group: .list),
        Binding(intent: .viewAll, keys: ["1"], words: "all", group: .list),
        Binding(intent: .viewActive, keys: ["2"], words: "only the active", group: .list),
        Binding(intent: .viewWaiting, keys: ["3"], words: "only those waiting, paused", group: .list),
        Binding(intent: .viewFailed, keys: ["4"], words: "only the failed", group: .list),
        Binding(intent: .viewDone, keys: ["5"], words: "only the done", group: .list),
        Binding(intent: .toggleMouse, keys: ["%"], words: "mouse on or off", group: .program),

        Binding(
            intent: .interrupt, keys: [.control("c")], words: "quit; twice: at once", group: .program),
        Binding(intent: .suspend, keys: [.control("z")], words: "suspend; fg comes back", group: .program),
        Binding(intent: .redraw, keys: [.control("l")], words: "draw everything anew", group: .program),
    ])
}

extension Key: ExpressibleByExtendedGraphemeClusterLiteral {
    public init(extendedGraphemeClusterLiteral value: Character) {
        self = .character(value)
    }
}

extension Key {
    /// The key as a person reads it: `p`, `Ctrl-L`, `PgUp`, `↑`.
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
}

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

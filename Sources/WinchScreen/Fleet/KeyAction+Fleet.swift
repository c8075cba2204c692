extension KeyAction {
    /// Why a dashboard over a fleet does not do this; `nil`: it does.
    var reasonAgainFleet: String? {
        switch self {
        case .pauseOrResume: "A fleet is paused as a whole: P pauses all machines"
        case .moreSlots, .fewerSlots: "Each machine has its own number: winch fleet work -j"
        case .toggleMode: "The bar counts files: the sizes of those that wait are not known"
        case .moveEarlier, .moveLater, .moveFirst, .moveLast: "The machines take the files in the order of the list"
        case .limitRow: "One file has no limit of its own here; z and Z limit the fleet"
        case .moreConnections, .fewerConnections: "Each machine chooses the connections of its files"
        case .add: "winch fleet submit adds files to the run"
        case .remove, .removeDone, .bringBack:
            "What is done leaves this list by itself, and failures stay until they are retried"
        case .editURL: "The URL of an entry cannot be changed; submit it again with another one"
        case .openFolder: "The file is on the machine that downloads it"
        case .settings, .saveSettings: "A dashboard over a fleet has no settings; t changes the theme"
        case .background, .stopSession: "q leaves, and the fleet goes on; winch fleet stop ends its workers"
        case .up, .down, .first, .last, .pageUp, .pageDown, .pauseOrResumeAll, .cancel, .retry, .retryFailed,
            .nextTheme,
            .tag, .untag, .untagAll, .tagAll, .filter, .sortNext, .sortPrevious, .invertSort, .holdLine, .nextView,
            .previousView, .viewAll, .viewActive, .viewWaiting, .viewFailed, .viewDone, .toggleMouse, .slower, .faster,
            .details, .scrollDetailsDown, .scrollDetailsUp, .copyURL, .log, .machines, .columns, .command, .help, .quit,
            .interrupt, .suspend, .redraw, .back:
            nil
        }
    }
}

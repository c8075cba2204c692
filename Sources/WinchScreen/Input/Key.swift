/// A key press, a paste or a mouse event, independent of the bytes that the terminal sent for it.
package enum Key: Hashable, Sendable {
    /// A printable character, with shift already in it.
    case character(Character)
    /// A letter held with Control, lower case.
    case control(Character)
    case enter, escape, tab, backTab, backspace, delete
    case up, down, left, right, home, end, pageUp, pageDown
    /// F1 to F12.
    case function(Int)
    /// Text pasted in one piece (bracketed paste).
    case paste(String)
    case mouse(Mouse)
}

/// A mouse event; cells are counted from 0. Other buttons and motion are not reported.
package enum Mouse: Hashable, Sendable {
    case click(column: Int, row: Int)
    case wheelUp, wheelDown
}

/// What the user wants by pressing a key, independent of the key that is bound to it.
enum KeyAction: String, Hashable, Sendable, CaseIterable {
    case up, down, first, last, pageUp, pageDown
    case pauseOrResume = "pause"
    case pauseOrResumeAll = "pauseAll"
    case cancel
    case retry, retryFailed
    case add
    case toggleMode
    case nextTheme
    case moreSlots, fewerSlots
    case moveEarlier, moveLater, moveFirst, moveLast
    case limitRow
    case moreConnections, fewerConnections
    case tag, untag, untagAll, tagAll
    case remove, removeDone, bringBack
    case filter
    case sortNext, sortPrevious, invertSort
    /// The selected row keeps its line on the screen while rows move.
    case holdLine
    case groupByFolder
    /// Opens a folder of grouped rows, or closes it.
    case unfold, fold
    case nextView, previousView, viewAll, viewActive, viewWaiting, viewFailed, viewDone
    case toggleMouse
    case slower, faster
    case details, scrollDetailsDown, scrollDetailsUp
    case openFolder, copyURL = "copyUrl"
    case editURL = "editUrl"
    case log, settings, columns, saveSettings
    case machines
    case command
    case help
    case quit, interrupt
    /// Hands the run over to a session.
    case background
    /// Ends the session of an attached dashboard.
    case stopSession
    case suspend, redraw
    /// Closes the details, else clears the filter, else makes the cursor follow the active rows again.
    case back
}

extension KeyAction {
    /// The name that is typed after `:` and in the settings' key lines: `pause`, `retry-failed`.
    var name: String {
        var name = ""
        for letter in rawValue {
            if letter.isUppercase { name += "-" }
            name += letter.lowercased()
        }
        return name
    }
}

extension KeyAction {
    /// Where a key of movement leads from `place`, maybe beyond the ends; `nil` for any other key.
    func destination(from place: Int, page: Int, last: Int) -> Int? {
        switch self {
        case .up: place - 1
        case .down: place + 1
        case .pageUp: place - page
        case .pageDown: place + page
        case .first: 0
        case .last: last
        default: nil
        }
    }

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
        default: nil
        }
    }
}

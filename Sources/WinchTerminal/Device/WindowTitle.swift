import WinchModel
import WinchScreen

/// The run's progress in the window's title and in the taskbar: numbers only, since names come from outside.
struct WindowTitle {
    private let extras: TerminalFeatures
    private var shown = ""
    private var shownProgress = Self.noProgress

    init(extras: TerminalFeatures) {
        self.extras = extras
    }

    /// The bytes that save the previous title.
    var taking: [UInt8] { extras.hasTitle ? Array("\u{1B}[22;0t".utf8) : [] }

    /// The bytes that restore the previous title and clear the taskbar.
    var exitBytes: [UInt8] {
        Array(((extras.hasTitle ? "\u{1B}[23;0t" : "") + (extras.hasTaskbar ? Self.noProgress : "")).utf8)
    }

    /// Called when another process has used the terminal: what it shows is unknown.
    mutating func forget() {
        shown = ""
        shownProgress = Self.noProgress
    }

    /// The bytes that update title and taskbar; empty if nothing has changed.
    mutating func update(_ totals: QueueTotals) -> [UInt8] {
        var text = ""
        let words = Self.words(totals)
        if extras.hasTitle, words != shown {
            shown = words
            text += "\u{1B}]0;\(words)\u{1B}\\"
        }
        let progress = Self.progress(totals)
        if extras.hasTaskbar, progress != shownProgress {
            shownProgress = progress
            text += progress
        }
        return Array(text.utf8)
    }

    private static func words(_ totals: QueueTotals) -> String {
        guard totals.count > 0 else { return "winch" }
        if totals.settled == totals.count {
            let failed = totals.failed > 0 ? ", \(totals.failed) failed" : ""
            return "winch: done \(totals.finished)/\(totals.count)\(failed)"
        }
        let share = "\(totals.settled)/\(totals.count)"
        return totals.percent.map { "winch: \($0)% \(share)" } ?? "winch: \(share)"
    }

    private static func progress(_ totals: QueueTotals) -> String {
        guard totals.count > 0, totals.settled < totals.count else { return noProgress }
        // Without a percentage the size is not known.
        guard let percent = totals.percent else { return sequence(state: 3, percent: 0) }
        if totals.failed > 0 { return sequence(state: 2, percent: percent) }
        let isPaused = totals.working == 0 && totals.paused > 0
        return sequence(state: isPaused ? 4 : 1, percent: percent)
    }

    private static let noProgress = sequence(state: 0, percent: 0)

    /// - Parameter state: 0: no progress, 1: usual, 2: error, 3: indeterminate, 4: paused.
    ///
    /// - Source: ConEmu: `OSC 9 ; 4 ; state ; percent ST`.
    private static func sequence(state: Int, percent: Int) -> String {
        "\u{1B}]9;4;\(state);\(percent)\u{1B}\\"
    }
}
